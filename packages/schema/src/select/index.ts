export type { Connection, ConnectionState, View } from './view.ts';
