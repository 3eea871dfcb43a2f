import type { SourceSink } from '../source/source.ts';
import type { Keeper } from './keeper.ts';

/** The sink by which a source fills a keeper. `on` is told what a frame asks for. */
export function intoKeeper(keeper: Keeper, on: { repair(): void; end(): void }): SourceSink {
  let offered: string | undefined;
  return {
    // Never held back, only noted: whoever comes late needs the session as it stands.
    text(json) {
      offered = json;
      return false;
    },
    frame(value, cursor) {
      const json = offered;
      offered = undefined;
      const demand = keeper.take(value, cursor, json);
      if (demand !== undefined) on[demand]();
    },
    connection: (state) => keeper.connection(state),
    diagnostic(diagnostic) {
      // Said instead of the frame whose text was offered: it was no JSON.
      offered = undefined;
      keeper.diagnostic(diagnostic);
    },
    cursor: () => keeper.cursor(),
  };
}
