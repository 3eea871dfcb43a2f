/** A session's runs as streamed messages in Slack. */
export { createSlackSink } from './sink.ts';
export type { SlackSinkOptions } from './sink.ts';
export type { SlackAppend, SlackClient, SlackPlace, SlackStart } from './api.ts';
