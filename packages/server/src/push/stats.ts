/** What became of messages of push, since the gateway began. */
export interface PushStats {
  /** Taken by a push service. */
  sent: number;
  /** Put off to a later try. */
  retried: number;
  /** Not sent, because the user was looking. */
  seen: number;
  /** Given up: its subscription was gone, it was a day old, or a service would not have it. */
  dropped: number;
  /** Refusals by a push service that no later try mends. */
  refused: number;
  /** Subscriptions that their push service no longer knew. */
  gone: number;
}

export function newPushStats(): PushStats {
  return { sent: 0, retried: 0, seen: 0, dropped: 0, refused: 0, gone: 0 };
}
