import type { FeedState } from '../display/feed.ts';
import type { SessionLink, ShownOperation } from '../display/session-link.ts';
import { findShown } from './find-shown.ts';
import type { Host } from './find-shown.ts';

/** A session that stands still: as it was when a server drew it. */
export class StillLink implements SessionLink {
  readonly state: FeedState;
  readonly #host: Host;

  constructor(host: Host, state: FeedState) {
    this.#host = host;
    this.state = state;
  }

  find(): ShownOperation | undefined {
    return findShown(this.#host, this.state);
  }

  retry(): void {}
}
