import type { Operation } from '@sitrep/schema';
import { ReactiveElement } from 'lit';
import type { CSSResultGroup, PropertyDeclarations, PropertyValues, TemplateResult } from 'lit';
import { elapsed, percent } from '@sitrep/schema/select';
import { Disclosure, openAttribute } from '../display/disclosure.ts';
import { beat } from '../display/frame.ts';
import { watchView } from '../display/in-view.ts';
import { OperationElement } from '../display/operation-element.ts';
import { pillStyles } from '../display/pill.ts';
import { property } from '../display/progress-element.ts';
import { part } from '../display/part.ts';
import type { Part } from '../display/part.ts';
import type { Rows } from '../display/rows.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { hasEnded, shownState } from '../display/shown-state.ts';
import type { ShownState } from '../display/shown-state.ts';
import { surfaces } from '../display/surfaces.styles.ts';
import { tr } from '../display/tr.ts';
import { tones } from '../display/tones.styles.ts';
import type { OperationNode } from '../display/tree.ts';
import type { ProgressToggleEvent } from '../events/progress-toggle.ts';
import { isOnItsWay } from './asked.ts';
import { BarTiming } from './bar-timing.ts';
import type { BarPhase } from './bar-timing.ts';
import { drawBody } from './body.ts';
import { copyOfFrame, drawState, frame } from './frame.ts';
import { manyMove, valuesTurn } from './quantum.ts';
import { differInValues, Live, STILL, workedFor } from './live.ts';
import type { Tempo } from './tempo.ts';
import { styles } from './tool-progress.styles.ts';
import { stateWithout, withoutOperation } from './without-operation.ts';

export type { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
export type { ProgressDismissRequestEvent } from '../events/progress-dismiss-request.ts';
export type { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
export type { ProgressToggleEvent };

/** What holds an operation, or became of it, in words. */
const telling = part(() => import('./details.ts'), true);
/** What runs under it. */
const nesting = part(() => import('../display/rows.ts'), true);
/** What the page lets its readers ask for. */
const controls = part(() => import('./controls.ts'));
/** How fast it goes. */
const tempos = part(() => import('./tempo.ts'));

/** From here on elapsed time is shown without seconds. */
const HOUR = 3_600_000;
/** Work that is over before that shows no bar, milliseconds. */
const SHOW_DELAY = 200;
/** A bar that was shown stays at least so long, milliseconds. */
const MIN_VISIBLE = 500;

/**
 * One operation: what is done, how far it is, what it waits for, and what came of it.
 *
 * While it goes on its details stay closed; what has ended opens by itself; once the reader has opened or closed it,
 * that holds for as long as the element shows this operation.
 *
 * Work that is over within `show-delay` shows no bar, and a bar that was shown stays for `min-visible`, so that nothing flashes. States,
 * names and values are never late by that.
 *
 * @tag tool-progress
 * @summary Shows one operation with its bar, state and details.
 *
 * @fires {ProgressToggleEvent} progress-toggle - The reader opens or closes the details; cancelable.
 * @fires {ProgressCancelRequestEvent} progress-cancel-request - The reader asks to stop the operation.
 * @fires {ProgressRetryRequestEvent} progress-retry-request - The reader asks to run the operation again.
 * @fires {ProgressDismissRequestEvent} progress-dismiss-request - The reader asks to put away an operation that has ended.
 *
 * @slot - Further details, shown while open.
 * @slot actions - Further buttons beside the pill.
 *
 * @csspart base - Everything inside the element.
 * @csspart head - Title, message, pill and buttons.
 * @csspart toggle - The button that opens and closes the details; it holds the title.
 * @csspart title - The title.
 * @csspart message - What it does right now; while closed, else what its newest live part does.
 * @csspart pill - The state.
 * @csspart label - The word in the pill.
 * @csspart bar - The track of the bar.
 * @csspart fill - The filled part of the bar.
 * @csspart meta - Percentage, amount and time.
 * @csspart percent - The percentage.
 * @csspart amount - The amount: "42 of 100 files"; also its rate and the time left where both can be relied on, the attempt, that it
 *   is finishing, or how long nobody has been heard.
 * @csspart elapsed - The time it has taken.
 * @csspart detail - What it waits for, what is asked of a person, or what went wrong.
 * @csspart body - The details.
 * @csspart nested - The list of operations under this one.
 * @csspart operation - One of them.
 * @csspart cancel - The button that asks to stop.
 * @csspart retry - The button that asks to run again.
 * @csspart dismiss - The button that asks to put away.
 *
 * @cssstate running - And each other state the pill can show, by its name.
 * @cssstate moving - Something is going on.
 * @cssstate open - The details are open.
 */
export class ToolProgress extends OperationElement {
  static override styles: CSSResultGroup = [tones, surfaces, pillStyles, styles];

  static override properties: PropertyDeclarations = {
    ...OperationElement.properties,
    nested: property,
    open: openAttribute,
    actions: {},
    attempts: { type: Number },
    showDelay: { type: Number, attribute: 'show-delay' },
    minVisible: { type: Number, attribute: 'min-visible' },
  };

  /** What runs under this operation. Without it, a session's own order is followed. */
  declare nested: readonly OperationNode[] | null | undefined;

  /**
   * Opens the details, or keeps them closed with `open="false"`. Absent, they open when the operation has ended. The
   * reader's own choice goes before this.
   * @attr
   */
  declare open: boolean | undefined;

  /**
   * The buttons to offer, divided by spaces: `cancel` where the operation can be stopped, `retry` where it did not succeed,
   * `dismiss` where it has ended.
   * @attr
   */
  declare actions: string | undefined;

  /**
   * How many attempts there are at most, where the page knows: "attempt 2 of 3" instead of "attempt 2".
   * @attr
   */
  declare attempts: number | undefined;

  /**
   * Milliseconds of work before the bar is seen. Default: 200. Counted from the start of the operation, else from when the element first
   * has it.
   * @attr show-delay
   */
  declare showDelay: number | undefined;

  /**
   * Milliseconds a bar is seen at least, once it was. Default: 500.
   * @attr min-visible
   */
  declare minVisible: number | undefined;

  readonly #disclosure = new Disclosure(this);
  readonly #timing = new BarTiming();
  /** Everything inside, where it is a copy and no template that was rendered. */
  #base: Element | undefined;
  #live: Live | undefined;
  #tempo: Tempo | undefined;
  #rows: Rows | undefined;
  #drawn: Drawn | undefined;
  #moving: Promise<void> | undefined;
  /** Counts what it has shown: the reader's choice is of one of them. */
  #work = 0;
  /** When it was last asked to cancel. */
  #askedAt: number | undefined;
  #bodyBuilt = false;
  #offered = false;
  #outOfSight = false;
  #unwatch: (() => void) | undefined;

  constructor() {
    super();
    this.addEventListener('contentvisibilityautostatechange', ToolProgress.#act);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#rest(false);
  }

  get followsAll(): boolean {
    return this.#bodyBuilt;
  }

  /** Where only values have changed they are written as they are, without a render. */
  override requestUpdate(name?: PropertyKey, ...rest: [unknown?]): void {
    if (this.hasUpdated && !this.isUpdatePending && (!name || name === 'operation' || name === 'nested') && this.#write()) return;
    super.requestUpdate(name, ...rest);
  }

  protected override async getUpdateComplete(): Promise<boolean> {
    await this.#moving;
    return super.getUpdateComplete();
  }

  /** Scrolled out of sight it renders about once a second: late by little, and nearly for free. */
  protected override turn(): Promise<void> {
    return this.#outOfSight ? valuesTurn(true) : super.turn();
  }

  protected override firstUpdated(): void {
    const root = this.renderRoot;
    root.addEventListener('click', ToolProgress.#act);
    root.addEventListener('keydown', ToolProgress.#act);
  }

  /** One for all elements and everything that happens in them: each of its own would be most of what it remembers. */
  static #act(event: Event & { readonly skipped?: boolean }): void {
    const at = event.currentTarget as ShadowRoot | ToolProgress;
    const self = 'host' in at ? (at.host as ToolProgress) : at;
    if (event.type === 'keydown') self.#disclosure.key(event as KeyboardEvent, self.find()?.operation);
    else if (event.type === 'click') self.#click((event.target as Element).closest('button'));
    else if (event.target === self) self.#rest(!!event.skipped);
  }

  /** Whether it is far away, and so not drawn at all. */
  #rest(skipped: boolean): void {
    this.#unwatch?.();
    this.#unwatch = undefined;
    this.#outOfSight = skipped;
  }

  /** It comes into view with what it has to show. */
  #seen(seen: boolean): void {
    this.#outOfSight = !seen;
    if (seen && this.#moving) this.#writeNow();
  }

  #click(button: Element | null): void {
    const operation = this.find()?.operation;
    if (!operation || button?.getRootNode() !== this.renderRoot) return;
    const name = button.getAttribute('part');
    if (name === 'toggle') return this.#disclosure.toggle(operation);
    const cancel = name === 'cancel';
    if (cancel && this.#isAsked()) return;
    if (!this.dispatchEvent(controls.here!.requestOf(name!, operation)) || !cancel) return;
    this.#askedAt = Date.now();
    this.requestUpdate('actions');
  }

  /** Writes the values soon. False if more than values has changed since the last render. */
  #write(): boolean {
    const found = this.#find();
    const drawn = this.#drawn;
    if (!found || !drawn || found.operation.waitingOn || shownState(found.operation, found.view) !== drawn.state) return false;
    if (drawn.asked && !this.#isAsked()) return false;
    if ((drawn.open && drawn.nests + found.nested.length > 0) || !differInValues(drawn.operation, found.operation)) return false;
    this.#moving ??= this.#writeSoon();
    return true;
  }

  async #writeSoon(): Promise<void> {
    await valuesTurn(this.#outOfSight);
    this.#moving = undefined;
    this.#writeNow();
    // Nearly as many are drawn because they are near as are seen: where many move, those rest as well until they come into view.
    if (manyMove() && this.isConnected && !this.#outOfSight) this.#unwatch ??= watchView(this, (seen) => this.#seen(seen));
  }

  #writeNow(): void {
    const found = this.#find();
    if (!found || !this.#drawn || this.isUpdatePending) return;
    if (found.operation !== this.#drawn.operation) this.#measure(found.operation);
    this.#fill(found, this.#drawn);
  }

  #fill(found: ShownOperation, { state, open }: Drawn): void {
    const { operation, view, language } = found;
    const { attempt: n } = operation;
    const { attempts: total = 0 } = this;
    const more: (string | undefined)[] = [...(this.#tempo?.words(operation, view.now, language) ?? [])];
    if (total > 1 || n > 1) more.push(tr(total >= n ? 'attempt {n} of {total}' : 'attempt {n}', language, { n, total }));
    this.#live!.write(this.renderRoot, found, state, open, more, !this.#outOfSight);
  }

  /** How fast it goes is measured from when an amount is first seen to move. */
  #measure({ state, current, fraction }: Operation): void {
    if (this.#tempo || state !== 'running' || (current ?? fraction) === undefined) return;
    if (tempos.here) this.#tempo = new tempos.here.Tempo();
    else void tempos.come();
  }

  /** Whether somebody asked to cancel and may still expect an answer. */
  #isAsked(): boolean {
    return isOnItsWay(this.#askedAt, Date.now());
  }

  #find(): ShownOperation | undefined {
    return this.find(this.nested ?? NONE);
  }

  protected override needs(): readonly (Part<unknown> | false | undefined)[] {
    const found = this.#find();
    if (!found) return super.needs();
    const { operation, nested } = found;
    const { blockedOn, waitingOn, error, reason, state, tool, usage } = operation;
    const open = this.#disclosure.isOpen(hasEnded(operation), this.#work);
    const facts = open && (tool ?? usage ?? reason ?? state === 'interrupted');
    return [!!(blockedOn ?? waitingOn ?? error ?? facts) && telling, open && nested.length > 0 && nesting, !!this.actions && controls];
  }

  /** What it has is the same for all of them and bound to nothing: a copy does, and is all that most of them ever need. */
  protected override update(changed: PropertyValues): void {
    const root = this.renderRoot;
    if (this.#base || !root.firstChild) {
      this.render();
      if (this.#drawn) {
        (ReactiveElement.prototype as unknown as Updates).update.call(this, changed);
        if (!this.#base) root.append((this.#base = copyOfFrame(this.ownerDocument)));
        return;
      }
      this.#base?.remove();
      this.#base = undefined;
    }
    super.update(changed);
  }

  protected override render(): TemplateResult {
    const found = this.#find();
    const before = this.#drawn;
    this.#drawn = undefined;
    if (!found) {
      this.#live = undefined;
      this.stand(0, stateWithout(this.feed));
      return withoutOperation(this.feed, this.language);
    }
    const { operation, view } = found;
    const ended = hasEnded(operation);
    const state = shownState(operation, view);
    this.#follow(operation, before?.operation, ended);
    const open = this.#disclosure.isOpen(ended, this.#work);
    const asked = !ended && this.#isAsked();
    const phase = this.#phase(found, ended);
    this.#drawn = { operation, nests: found.nested.length, state, open, asked, phase };
    this.#bodyBuilt ||= open;
    const ticks = asked || (!STILL.has(state) && (workedFor(operation, state, view.now) ?? HOUR) < HOUR);
    this.stand(ended ? 0 : ticks ? 1 : 30, state, open);
    return frame();
  }

  /** What was remembered of an operation, or of an attempt, is forgotten with the next one. */
  #follow(operation: Operation, before: Operation | undefined, ended: boolean): void {
    const { id, run, attempt, cancelRequested } = operation;
    const same = before?.id === id && before.run === run;
    if (!same) this.#work++;
    if (!same || before?.attempt !== attempt) {
      this.#askedAt = undefined;
      this.#timing.begin(ended, Math.round(performance.now()));
    }
    if (cancelRequested) this.#askedAt ??= Date.now();
    if (same && before !== operation) this.#measure(operation);
  }

  protected override updated(): void {
    const drawn = this.#drawn;
    const found = drawn && this.#find();
    if (!found) return;
    const root = this.renderRoot;
    const { operation } = found;
    const { state, open, asked, phase } = drawn;
    const ended = hasEnded(operation);
    const known = percent(operation) !== undefined;
    const bare = ended && (!known || phase === 'never');
    const head = root.querySelector('.head')!;
    const base = root.querySelector('.base')!;
    drawState(root, found, state, open, bare, known);
    if (this.actions || this.#offered) controls.here?.drawControls(head, found, this.actions ?? '', ended, asked);
    this.#offered = !!this.actions;
    const body = drawBody(base, open);
    if (telling.here?.drawDetails(base, found, open, body ?? null)) telling.here.dressDetails(root as ShadowRoot);
    root.querySelector<HTMLElement>('.bar')!.hidden = bare && phase !== 'held';
    if (open) this.#nest(body!, found);
    this.#live ??= new Live(root);
    this.#fill(found, drawn);
    this.#show(phase, ended);
  }

  /** What runs under it, in its details. */
  #nest(body: HTMLElement, { nested, view }: ShownOperation): void {
    if (nested.length === 0) this.#rows?.remove();
    else if (nesting.here) {
      this.#rows = nesting.here.rows(this, this.#rows, 'nested', nested, () => view.run, view.connection, this.actions);
      if (this.#rows.parentElement !== body) body.prepend(this.#rows);
      nesting.here.dressLists(this.renderRoot as ShadowRoot);
    }
  }

  /** Lets the bar be seen, now or soon. Everything that begins at the same time is shown at the same time, by one timer. */
  #show(phase: BarPhase, ended: boolean): void {
    if (!this.isConnected) return;
    this.#live?.conceal(phase === 'soon');
    const { again } = this.#timing;
    if (again !== undefined) void beat(Math.ceil(again / 50) * 50).then(() => this.#later(ended));
  }

  #later(ended: boolean): void {
    const found = this.#drawn && this.#find();
    if (!found || !this.isConnected || this.isUpdatePending) return;
    if (ended) this.requestUpdate('minVisible');
    else this.#show(this.#phase(found, ended), ended);
  }

  #phase({ operation, view }: ShownOperation, ended: boolean): BarPhase {
    const { showDelay = SHOW_DELAY, minVisible = MIN_VISIBLE } = this;
    return this.#timing.phase(ended, elapsed(operation, view.now), showDelay, minVisible, Math.round(performance.now()));
  }
}

/** What an update is where nothing is rendered. */
interface Updates {
  update(changed: PropertyValues): void;
}

/** What is on the page. */
interface Drawn {
  readonly operation: Operation;
  /** Number of operations under it. */
  readonly nests: number;
  readonly state: ShownState;
  readonly open: boolean;
  readonly asked: boolean;
  readonly phase: BarPhase;
}

const NONE: readonly OperationNode[] = [];

declare global {
  interface HTMLElementTagNameMap {
    'tool-progress': ToolProgress;
  }
}
