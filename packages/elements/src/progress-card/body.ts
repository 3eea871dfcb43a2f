import { html, nothing } from 'lit';
import type { LitElement, TemplateResult } from 'lit';
import type { CardRecord, Operation } from '@sitrep/schema';
import type { Language } from '@sitrep/schema/select';
import { adoptLater } from '../display/adopt-later.ts';
import { findRun } from '../display/find-run.ts';
import { dressLists, rows } from '../display/rows.ts';
import type { Rows } from '../display/rows.ts';
import { hasEnded } from '../display/shown-state.ts';
import { tr } from '../display/tr.ts';
import { operationTree } from '../display/tree.ts';
import type { OperationNode } from '../display/tree.ts';
import type { NoteImages } from '../markdown/pictures.ts';
import { bodyStyles } from './body.styles.ts';
import type { CardModel } from './card-model.ts';
import { Note } from './note.ts';
import { plan } from './plan-list.ts';
import type { Versions } from './versions.ts';

/** Operations drawn before the reader asks for all of them. */
const SHOWN_AT_FIRST = 30;
/** The same where the card is only looked at in passing. */
const SHOWN_IN_PASSING = 5;

/** The card whose body it is. */
interface BodyHost extends LitElement {
  readonly language: Language;
  readonly placement: 'composer' | 'peek' | undefined;
  readonly actions: string | undefined;
  readonly showOperations: 'none' | 'live' | 'all' | undefined;
  readonly noteImages: NoteImages | null | undefined;
}

/** What a card shows while it is open: its plan, its note and the operations of the session. */
export class Body {
  readonly #host: BodyHost;
  readonly #note = new Note();
  #rows: Rows | undefined;
  #all = false;

  constructor(host: BodyHost) {
    this.#host = host;
  }

  /** Draws it, of the version the reader chose among `versions`; `known` are those that others remember. */
  render(model: CardModel, name: string, versions: Versions | undefined, known: readonly CardRecord[]): TemplateResult {
    const { card, runs, view } = model;
    const { language, placement, actions } = this.#host;
    const chosen = versions?.chosen;
    const steps = chosen ? versions!.steps(view.now, language) : model.steps;
    const markdown = (chosen ?? card).card?.markdown;
    const tree = chosen ? [] : this.#tree(model.operations);
    const first = placement === 'peek' ? SHOWN_IN_PASSING : SHOWN_AT_FIRST;
    const hidden = this.#all ? 0 : Math.max(0, tree.length - first);
    if (tree.length > 0) {
      const runOf = ({ run }: Operation) => findRun(runs, run);
      const offered = actions?.replace('dismiss', '');
      this.#rows = rows(this.#host, this.#rows, 'operations', tree.slice(hidden), runOf, view.connection, offered);
    }
    return html`${versions?.render(card, known, view.now, language) ?? nothing}${
      steps.length > 0 ? plan(steps, !!chosen) : nothing
    }${markdown?.trim() ? this.#noteOf(markdown, name) : nothing}${tree.length > 0 ? this.#rows : nothing}${
      hidden > 0 ? html`<button type="button" @click=${this.#showAll}>${tr('Show {n} earlier', language, { n: hidden })}</button>` : nothing
    }`;
  }

  /** Gives what has been drawn its looks. */
  settle(root: ShadowRoot): void {
    dressLists(root);
    adoptLater(root, bodyStyles);
  }

  /** The operations to draw, in their order. */
  #tree(operations: readonly Operation[]): readonly OperationNode[] {
    const { showOperations } = this.#host;
    if (showOperations === 'none') return [];
    const tree = operationTree(operations);
    return showOperations === 'live' ? live(tree) : tree;
  }

  #noteOf(markdown: string, name: string): TemplateResult {
    const { language, noteImages, placement, renderRoot } = this.#host;
    const options = { title: name, language, images: noteImages ?? undefined, promote: placement === 'peek' };
    const note = this.#note.show(renderRoot as ShadowRoot, markdown, options, () => this.#host.requestUpdate());
    return html`${note?.promoted ?? nothing}
      <div part="note" class="note" dir="auto" ?hidden=${note?.blank}>
        ${note ? note.content : html`<p class="plain">${markdown}</p>`}${note?.mark ? html`<p class="mark">${note.mark}</p>` : nothing}
      </div>`;
  }

  readonly #showAll = (): void => {
    this.#all = true;
    this.#host.requestUpdate();
  };
}

/** Those that go on, under their parents. */
const live = (nodes: readonly OperationNode[]): readonly OperationNode[] =>
  nodes
    .map(({ operation, nested }) => ({ operation, nested: live(nested) }))
    .filter(({ operation, nested }) => nested.length > 0 || !hasEnded(operation));
