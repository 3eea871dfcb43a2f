import * as Type from 'typebox';
import { LIMITS } from './limits.ts';
import { Usage } from './parts.ts';
import { clearable, SessionKey, text, time } from './scalars.ts';

/** What is known of the session itself: its title and what it has used. */
export const SessionEvent = Type.Object(
  {
    type: Type.Literal('session'),
    session: SessionKey,
    at: time('When this was written, epoch milliseconds.'),
    title: clearable(text(LIMITS.title, 'Title of the chat or thread.')),
    usage: clearable(Usage),
  },
  { title: 'session', description: "The session's title or usage changed." },
);
export type SessionEvent = Type.Static<typeof SessionEvent>;
