export type { DecodeContext, Decoded, Dialect, Encoded } from './dialect.ts';
