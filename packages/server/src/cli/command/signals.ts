import { readFileSync } from 'node:fs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const;
/** What the keys of a terminal send to a whole job at once. */
const KEYS = new Set<string>(['SIGINT', 'SIGQUIT']);
/** Signals that ask a command to end. */
const STOPS = new Set<string>(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']);

/** Signals that came to us. */
export interface Forwarding {
  /** The first of those that ask a command to end. */
  readonly stop: string | undefined;
  end(): void;
}

/**
 * Hands signals on to the command and outlives it, so that its end is reported. What the keys of the terminal sent has
 * reached the command by itself, unless it is in a terminal of its own; sent twice, many programs would give up what they
 * still have to do.
 */
export function forwardSignals(kill: (signal: NodeJS.Signals) => void, ownTerminal: boolean): Forwarding {
  let stop: string | undefined;
  const handlers = FORWARDED.map((signal) => {
    const handler = (): void => {
      if (STOPS.has(signal)) stop ??= signal;
      if (ownTerminal || !KEYS.has(signal) || !isInForeground()) kill(signal);
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return {
    get stop() {
      return stop;
    },
    end: () => handlers.forEach(({ signal, handler }) => process.off(signal, handler)),
  };
}

/** Whether our job is the one the terminal's keys go to. */
function isInForeground(): boolean {
  try {
    // After the name, which may hold anything: state, parent, group, session, terminal, group in its foreground.
    const fields = readFileSync('/proc/self/stat', 'latin1').split(') ').at(-1)?.split(' ') ?? [];
    return fields[5] === fields[2];
  } catch {
    return process.stdin.isTTY === true;
  }
}
