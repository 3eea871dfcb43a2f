import type { Operation, Run } from '@sitrep/schema';
import type { Language } from '@sitrep/schema/select';
import type { Announcer } from '../display/announcer.ts';
import { hasEnded } from '../display/shown-state.ts';
import type { TreeChange } from './tree-model.ts';
import type { TreeNode } from './tree-node.ts';

/** Operations listened to at most. Of more than these at once nobody wants to hear one by one. */
const WATCHED = 500;

/**
 * What the page's voice says of many operations. What is there at first is no news, and the code that speaks is loaded with the
 * first that is. Only what crosses a boundary is handed on, so that a moving number costs nothing.
 */
export class News {
  readonly #host: { readonly language: Language };
  readonly #watched = new Map<TreeNode, Operation>();
  #runs: readonly Run[] = [];
  #primed = false;
  #announcer: Promise<Announcer> | undefined;

  constructor(host: { readonly language: Language }) {
    this.#host = host;
  }

  /** Takes in what has changed. `loaded` is false while nothing is known yet. */
  take({ changed, added }: TreeChange, runs: readonly Run[], loaded: boolean): void {
    const before = [...this.#watched.values()];
    const runsBefore = this.#runs;
    let news = runs !== runsBefore && this.#primed;
    for (const node of added) {
      if (!this.#primed && hasEnded(node.operation!)) continue;
      this.#watched.set(node, node.operation!);
      news = true;
    }
    for (const node of changed) {
      const was = this.#watched.get(node);
      const is = node.operation;
      if (!is || (!was && hasEnded(is))) continue;
      this.#watched.set(node, is);
      news ||= was?.state !== is.state || was.attempt !== is.attempt || was.blockedOn !== is.blockedOn;
    }
    this.#trim();
    this.#runs = runs;
    if (!this.#primed) this.#primed = loaded;
    else if (news) this.#say(before, runsBefore);
  }

  /** Forgets everything: another session is shown, or none. */
  forget(): void {
    void this.#announcer?.then((announcer) => announcer.reset());
    this.#announcer = undefined;
    this.#watched.clear();
    this.#runs = [];
    this.#primed = false;
  }

  #say(before: readonly Operation[], runsBefore: readonly Run[]): void {
    const now = [...this.#watched.values()];
    const runs = this.#runs;
    this.#announcer ??= import('../display/announcer.ts').then(({ Announcer }) => {
      const announcer = new Announcer(this.#host);
      announcer.take(before, runsBefore);
      return announcer;
    });
    this.#announcer.then(
      (announcer) => announcer.take(now, runs),
      () => (this.#announcer = undefined),
    );
  }

  #trim(): void {
    for (const [node, operation] of this.#watched) {
      if (this.#watched.size <= WATCHED) return;
      if (hasEnded(operation)) this.#watched.delete(node);
    }
    for (const node of this.#watched.keys()) {
      if (this.#watched.size <= WATCHED) return;
      this.#watched.delete(node);
    }
  }
}
