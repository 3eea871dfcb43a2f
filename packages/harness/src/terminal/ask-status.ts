import { OSC_STATUS_QUERY } from '@sitrep/schema/dialect/osc-status';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { TerminalOutput } from './sink.ts';

/** Where a terminal answers, such as `process.stdin`. */
export interface TerminalInput {
  readonly isTTY?: boolean | undefined;
  readonly isRaw?: boolean | undefined;
  /** Null or false while nobody reads. */
  readonly readableFlowing?: boolean | null | undefined;
  setRawMode?(on: boolean): unknown;
  on(event: 'data', listener: (chunk: string | Uint8Array) => void): unknown;
  off(event: 'data', listener: (chunk: string | Uint8Array) => void): unknown;
  pause(): unknown;
  unshift(chunk: string | Uint8Array): unknown;
}

/** Options of the question. */
export interface AskStatusOptions {
  readonly input: TerminalInput;
  readonly output: TerminalOutput;
  /** How long an answer is waited for, milliseconds. Default: 300. */
  readonly timeoutMs?: number | undefined;
  /** Default: the platform's. */
  readonly clock?: Clock | undefined;
}

/** Which every terminal answers: the answer to it ends the wait where the other is not known. */
const DEVICE_QUERY = '\u001b[c';
// oxlint-disable-next-line no-control-regex -- the answers are made of control characters
const STATUS_ANSWER = /(?:\u001b\]|\u009d)7501;\?[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)/;
// oxlint-disable-next-line no-control-regex -- the answers are made of control characters
const DEVICE_ANSWER = /(?:\u001b\[|\u009b)\?[\d;]*c/;
/** More than the answers and what a person types meanwhile. */
const MAX_HELD = 4096;

/**
 * Asks the terminal whether it reads program status, OSC 7501. To be asked before anything else reads the input: while it waits the
 * input is raw, and what a person types is put back for whoever reads next. False where there is no terminal, or no answer in time.
 */
export function askStatus({ input, output, timeoutMs = 300, clock = systemClock }: AskStatusOptions): Promise<boolean> {
  if (input.isTTY !== true || output.isTTY !== true || input.setRawMode === undefined) return Promise.resolve(false);
  const wasRaw = input.isRaw === true;
  const wasFlowing = input.readableFlowing === true;
  return new Promise((resolve) => {
    let held = '';
    let isText = false;

    function take(chunk: string | Uint8Array): void {
      isText = typeof chunk === 'string';
      // One character a byte: the answers are ASCII, and what is typed goes back as it came.
      held += typeof chunk === 'string' ? chunk : Array.from(chunk, (byte) => String.fromCharCode(byte)).join('');
      if (DEVICE_ANSWER.test(held) || held.length > MAX_HELD) finish();
    }

    function finish(): void {
      cancel();
      input.off('data', take);
      input.setRawMode?.(wasRaw);
      if (!wasFlowing) input.pause();
      const typed = held.replace(STATUS_ANSWER, '').replace(DEVICE_ANSWER, '');
      if (typed !== '') input.unshift(isText ? typed : Uint8Array.from(typed, (character) => character.charCodeAt(0)));
      resolve(STATUS_ANSWER.test(held));
    }

    const cancel = clock.after(timeoutMs, finish, true);
    input.setRawMode?.(true);
    input.on('data', take);
    try {
      output.write(OSC_STATUS_QUERY + DEVICE_QUERY);
    } catch {
      finish();
    }
  });
}
