import type { SessionState } from '@sitrep/schema/select';
import { holds } from '../display/composed.ts';
import type { SessionList } from '../display/session-link.ts';
import type { ProgressWidget } from '../progress-widget/progress-widget.ts';
import { isSum } from './sums.ts';

/** Where the sessions of a board stand, by the widgets that were met on it. */
export class Standings {
  readonly #board: Element;
  readonly #widgets = new Set<ProgressWidget>();

  constructor(board: Element) {
    this.#board = board;
  }

  add(widget: ProgressWidget): void {
    this.#widgets.add(widget);
  }

  /**
   * How many sessions stand where: by their widgets while these are in view, else by the gateway's list, else as last seen. `names` are
   * those that need no widget to be counted.
   */
  count(names: readonly string[], list: SessionList['sessions'] = []): ReadonlyMap<SessionState, number> {
    const listed = new Map<string, SessionState>();
    for (const { session, activity } of list) if (isSum(activity)) listed.set(session, activity);
    const states: (SessionState | undefined)[] = [];
    const drawn = new Set<string>();
    for (const widget of this.#widgets) {
      // It may be on another board by now.
      if (!holds(this.#board, widget)) {
        this.#widgets.delete(widget);
        continue;
      }
      const name = widget.session?.trim() ?? '';
      drawn.add(name);
      states.push(widget.resting ? (listed.get(name) ?? widget.standing) : widget.standing);
    }
    for (const name of names) if (!drawn.has(name)) states.push(listed.get(name));
    const counts = new Map<SessionState, number>();
    for (const state of states) if (state) counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }
}
