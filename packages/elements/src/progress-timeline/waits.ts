import type { Operation } from '@sitrep/schema';
import { hasEnded } from '../display/shown-state.ts';
import type { TreeNode } from '../tree/tree-node.ts';

/** A time in which an operation was held: by a person, by a machine, or put aside. */
export interface Wait {
  readonly state: 'blocked' | 'waiting' | 'paused';
  readonly from: number;
  /** Undefined while it lasts. */
  to: number | undefined;
}

/** Waits remembered of one operation. */
const MOST = 32;

const isWait = (state: Operation['state']): state is Wait['state'] => state === 'blocked' || state === 'waiting' || state === 'paused';

/** What was seen here of when operations were held. A record says only how it stands, so what was before it is not known. */
export class Waits {
  readonly #seen = new WeakMap<TreeNode, { attempt: number; readonly waits: Wait[] }>();

  /** Takes note of where an operation stands. */
  see(node: TreeNode): void {
    const { operation } = node;
    if (!operation) return;
    let seen = this.#seen.get(node);
    if (!seen || seen.attempt !== operation.attempt) {
      if (!isWait(operation.state)) return;
      this.#seen.set(node, (seen = { attempt: operation.attempt, waits: [] }));
    }
    const { waits } = seen;
    const last = waits.at(-1);
    if (last?.to === undefined && last?.state === operation.state) return;
    if (last && last.to === undefined) last.to = hasEnded(operation) ? (operation.endedAt ?? operation.updatedAt) : operation.updatedAt;
    if (isWait(operation.state)) waits.push({ state: operation.state, from: operation.updatedAt, to: undefined });
    if (waits.length > MOST) waits.shift();
  }

  /** The waits of an operation's attempt, oldest first. */
  of(node: TreeNode): readonly Wait[] {
    return this.#seen.get(node)?.waits ?? [];
  }
}
