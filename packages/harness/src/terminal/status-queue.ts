import { readStatus, writeStatus } from '@sitrep/schema/dialect/osc-status';

/** Status reports and notices that wait to be written. A report takes the place of an older one of the same record. */
export interface StatusQueue {
  /** Sequences that wait. */
  readonly size: number;
  push(sequence: string): void;
  /** A notice is never replaced. */
  notice(text: string): void;
  /** Everything that waits, in order. */
  take(): string;
  /**
   * What leaves the terminal as a program leaves it that has ended: every record but the root's is cleared, the root's
   * keeps how it went, or is idle if it was at work. What waits is dropped. Empty when nothing was ever written.
   */
  clear(app: string | undefined): string;
}

/** Records a terminal keeps at least; more tops than that are not cleared one by one. */
const MAX_TOPS = 256;

export function createStatusQueue(): StatusQueue {
  const waiting = new Map<string, string>();
  const tops = new Set<string>();
  let rootState: string | undefined;
  let rootText = '';
  let notices = 0;

  return {
    get size() {
      return waiting.size;
    },
    push(sequence) {
      const read = readStatus(sequence);
      if (read?.kind !== 'report') return;
      const { id, state } = read.report;
      const top = id.split('/', 1)[0] ?? '';
      if (state === 'clear') {
        for (const key of waiting.keys()) if (key === `=${id}` || key.startsWith(`=${id}/`)) waiting.delete(key);
        waiting.set(`!${id}`, sequence);
        if (id === top) tops.delete(top);
        return;
      }
      if (id === '') {
        rootState = state;
        rootText = sequence;
      } else if (tops.size < MAX_TOPS) tops.add(top);
      waiting.delete(`=${id}`);
      waiting.set(`=${id}`, sequence);
    },
    notice(text) {
      notices += 1;
      waiting.set(`#${notices}`, text);
    },
    take() {
      const text = [...waiting.values()].join('');
      waiting.clear();
      return text;
    },
    clear(app) {
      waiting.clear();
      const cleared = [...tops].map((id) => writeStatus({ state: 'clear', id })).join('');
      tops.clear();
      const root = rootState === 'working' || rootState === 'blocked' ? writeStatus({ state: 'idle', id: '', app }) : rootText;
      const text = rootState === undefined ? cleared : cleared + root;
      rootState = undefined;
      rootText = '';
      return text;
    },
  };
}
