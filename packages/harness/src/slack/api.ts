import type { SlackChunk } from '@sitrep/schema/dialect/slack';

/** The part of a Slack client that streams a message, by shape: `WebClient` of `@slack/web-api` fits as it is. */
export interface SlackClient {
  readonly chat: {
    startStream(args: SlackStart): Promise<{ readonly ts?: string | undefined }>;
    appendStream(args: SlackAppend): Promise<unknown>;
    stopStream(args: SlackAppend): Promise<unknown>;
  };
}

/** Where a stream goes. */
export interface SlackPlace {
  readonly channel: string;
  /** The message that is answered: streams stand in a thread. */
  readonly thread_ts: string;
  /** Needed outside of direct messages. */
  readonly recipient_team_id?: string;
  readonly recipient_user_id?: string;
}

export interface SlackStart extends SlackPlace {
  chunks?: SlackChunk[];
  task_display_mode?: string;
}

export interface SlackAppend {
  channel: string;
  ts: string;
  chunks?: SlackChunk[];
}
