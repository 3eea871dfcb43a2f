import { part } from '../display/part.ts';

/** One operation of a session, with what runs under it: for elements that name one. */
export const finding = part(() => import('./find-shown.ts'));
