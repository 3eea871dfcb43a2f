/// <reference lib="esnext.disposable" preserve="true" />
import { SessionIndex } from '@sitrep/schema/reduce';
import { noticesOf, osc777, osc99, osc99Close } from '@sitrep/schema/dialect/osc-notify';
import { barOf, oscBarSequence, oscProgress } from '@sitrep/schema/dialect/osc-progress';
import { oscStatus } from '@sitrep/schema/dialect/osc-status';
import type { ProgressEvent } from '@sitrep/schema/wire';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import { tell } from '../diagnostic.ts';
import type { OnDiagnostic } from '../diagnostic.ts';
import type { Sink } from '../sink/sink.ts';
import { createStatusQueue } from './status-queue.ts';
import { rootStatus } from './root-status.ts';
import { checkOptions } from '../setup.ts';

/** Where a terminal is written to, such as `process.stderr`. */
export interface TerminalOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

/** Options of a terminal sink. Times in milliseconds. */
export interface TerminalSinkOptions {
  /** The session whose state the terminal shows; events of others are dropped. */
  readonly session: string;
  /** Written to only if it is a terminal. */
  readonly output: TerminalOutput;
  /** Writes to what is no terminal too. Default: false. */
  readonly force?: boolean | undefined;
  /** The progress bar, OSC 9;4. Terminals that know nothing of it show nothing, but iTerm2 before 3.6.6 shows a notice. Default: true. */
  readonly progress?: boolean | undefined;
  /** Program status, OSC 7501. To be turned on where the terminal says that it reads it (`askStatus`). Default: false. */
  readonly status?: boolean | undefined;
  /** Notices for the desktop: how a run ended, and what needs a person. Default: none. */
  readonly notify?: 'osc99' | 'osc777' | false | undefined;
  /** Name of the program in its status: 1 to 32 letters, digits and `_ . + -`. Default: none. */
  readonly app?: string | undefined;
  /** How often what is shown is repeated; terminals let a bar go that is not. At most 14,000. Default: 10,000. */
  readonly refreshMs?: number | undefined;
  /** Least time between two writes that only move an amount or a text. Default: 100. */
  readonly throttleMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
  /** Told when the output cannot be written to; nothing is written any more then. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
}

/** A sink that shows a session in a terminal. */
export interface TerminalSink extends Sink, AsyncDisposable {
  /** False when the output is no terminal, or was given up: then nothing is written. */
  readonly active: boolean;
  /** Takes away what is shown, at once: for a handler of `exit` or of a signal. A later event shows it again. */
  clear(): void;
}

const MAX_REFRESH = 14_000;

/**
 * Shows the state of one session in a terminal: a progress bar, and where asked for its status and notices. What goes
 * together is one write, so that sequences of two writers never mix. The bar is repeated while something goes on, and
 * hidden on `close` and `clear`; `clearOnExit` calls the latter on every way out of the process.
 */
export function createTerminalSink(options: TerminalSinkOptions): TerminalSink {
  checkOptions('createTerminalSink', options, { session: 'string', output: 'object' });
  const { session, output, clock = systemClock } = options;
  const refreshMs = Math.min(MAX_REFRESH, Math.max(1000, options.refreshMs ?? 10_000));
  const throttleMs = Math.max(0, options.throttleMs ?? 100);
  const index = new SessionIndex(session);
  const hidden = oscBarSequence({ state: 0 });
  const statuses = createStatusQueue();
  let active = options.force === true || output.isTTY === true;
  let bar = hidden;
  let shown = hidden;
  let root = '';
  let isCleared = false;
  let closed = false;
  let lastWrite = Number.NEGATIVE_INFINITY;
  let cancelFlush: (() => void) | undefined;
  let cancelRefresh: (() => void) | undefined;

  function write(text: string): void {
    if (!active || text === '') return;
    lastWrite = clock.now();
    try {
      output.write(text);
    } catch {
      active = false;
      tell(options.onDiagnostic, {
        code: 'sink_failed',
        message: 'The terminal could not be written to; nothing is shown in it any more.',
      });
    }
  }

  /** Everything that waits, in one write. */
  function writeWaiting(): void {
    cancelFlush?.();
    cancelFlush = undefined;
    const isMoved = bar !== shown;
    shown = bar;
    write((isMoved ? bar : '') + statuses.take());
    if (isMoved) refresh();
  }

  /** The bar of what goes on is repeated; one that is hidden or shows an error is not. */
  function refresh(): void {
    cancelRefresh?.();
    cancelRefresh = undefined;
    if (closed || !active || shown === hidden || barOf(index).state === 0) return;
    cancelRefresh = clock.after(refreshMs, () => {
      write(shown);
      refresh();
    });
  }

  /** The bar as it would stand if it had not been taken away. */
  function standing(): string {
    return options.progress === false ? hidden : oscBarSequence(barOf(index));
  }

  function schedule(isUrgent: boolean): void {
    const wait = isUrgent ? 0 : lastWrite + throttleMs - clock.now();
    if (wait <= 0) writeWaiting();
    else cancelFlush ??= clock.after(wait, writeWaiting);
  }

  function send(event: ProgressEvent): void {
    if (closed || !active || event.session !== session) return;
    // Written against the session as it stood; whether the event counts is known afterwards.
    const bars = options.progress === false ? [] : oscProgress.encode(event, index);
    const records = options.status === true ? oscStatus.encode(event, index) : [];
    const notices = options.notify === 'osc99' || options.notify === 'osc777' ? noticesOf(event, index) : [];
    if (index.apply(event).outcome !== 'applied') return;
    bar = bars.at(-1) ?? (isCleared ? standing() : bar);
    isCleared = false;
    for (const record of records) statuses.push(record);
    if (options.status === true) {
      const next = rootStatus(index, event, options.app, root);
      if (next !== root) statuses.push(next);
      root = next;
    }
    const told = notices.map((notice) => {
      if ('close' in notice) return options.notify === 'osc99' ? osc99Close(notice.close) : '';
      return options.notify === 'osc99' ? osc99(notice.show).join('') : osc777(notice.show);
    });
    const text = told.join('');
    if (text !== '') statuses.notice(text);
    if (bar === shown && statuses.size === 0) return;
    schedule(text !== '' || stateOf(bar) !== stateOf(shown));
  }

  function clear(): void {
    cancelFlush?.();
    cancelFlush = undefined;
    cancelRefresh?.();
    cancelRefresh = undefined;
    const isShown = shown !== hidden;
    isCleared = true;
    bar = hidden;
    shown = hidden;
    root = '';
    write((isShown ? hidden : '') + statuses.clear(options.app));
  }

  function flush(): Promise<void> {
    if (cancelFlush !== undefined) writeWaiting();
    return Promise.resolve();
  }

  async function close(): Promise<void> {
    if (closed) return;
    await flush();
    clear();
    closed = true;
  }

  return {
    get active() {
      return active && !closed;
    },
    send(event) {
      try {
        send(event);
      } catch {
        tell(options.onDiagnostic, { code: 'sink_failed', message: 'An event could not be shown in the terminal and was left out.' });
      }
    },
    clear,
    flush,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The digit of the state in a bar's sequence: a change of it is not held back. */
function stateOf(sequence: string): string {
  return sequence.charAt(6);
}
