import type { PluralForms } from '@sitrep/schema/select';

/** Everything the elements say, in English. A phrase is its own key; what stands in braces is put in. */
export const PHRASES = [
  // Where something stands.
  'pending',
  'running',
  'waiting',
  'needs you',
  'paused',
  'completed',
  'failed',
  'cancelled',
  'denied',
  'interrupted',
  'idle',
  'working',
  'done',
  'quiet',
  'out of date',
  'connecting',
  'reconnecting',
  'connection lost',
  'cancelling',
  'not loaded',
  'to do',
  'in progress',
  'finishing',
  // How far, how long, how fast.
  '{current} of {total}',
  '{title} {rest}',
  '{amount}/s',
  '{amount}/min',
  '{amount}/h',
  'about {time} left',
  'no news for {time}',
  'just now',
  'updated {ago}',
  '{completed}/{total} complete',
  '{n} of {total} completed',
  '{amount} tok',
  // What holds it, what came of it.
  'Operation',
  'Progress',
  'Progress updated',
  'Waits for your permission.',
  'Waits for your answer.',
  'Waits for you to sign in.',
  'Waits for you.',
  'Waits for {what}',
  'a machine',
  '{tool} on {server}',
  'It ended, and nobody said how.',
  'Reason: {reason}',
  '{what} and {n} more',
  // Notices.
  '{what}: {why}',
  '{title} needs permission',
  '{title} has a question',
  '{title} needs a sign-in',
  '{title} needs you',
  // Buttons.
  'Cancel',
  'Try again',
  'Show {n} earlier',
  // What is spoken.
  '{title}: {what}',
  'started',
  'finished',
  'needs you: {prompt}',
  'Run finished',
  'Run failed',
  'Run cancelled',
  'Run interrupted',
  '{n} more.',
  // What is missing, and what went wrong.
  'Loading…',
  'Nothing has been reported yet.',
  'There is no such operation.',
  'There is no such session.',
  'You may not read this session.',
  'The server cannot be reached.',
  'The server could not give the session (status {n}).',
  'The server answered with something else than a session.',
  'The address of the session cannot be read.',
  'This is the address of a stream, not of a session.',
  'The connection was lost.',
  'What was known is still shown.',
  'The code that connects could not be loaded.',
  // Notes.
  'Table',
  '… The note is longer than 8 KB; the rest is not shown.',
  'Shown as plain text: this note is too involved to be laid out.',
] as const;

/** One of the phrases the elements say. */
export type Phrase = (typeof PHRASES)[number];

/** Units that producers name in English and that a language may have its own word for. */
export const UNITS = [
  'files',
  'steps',
  'items',
  'tests',
  'pages',
  'rows',
  'lines',
  'tasks',
  'packages',
  'requests',
  'messages',
  'images',
] as const;

/** All phrases of one language: each one, and words for the usual units. A phrase with `{n}` may have plural forms. */
export type LanguagePack = Readonly<Record<Phrase, string | PluralForms> & Partial<Record<(typeof UNITS)[number], string | PluralForms>>>;
