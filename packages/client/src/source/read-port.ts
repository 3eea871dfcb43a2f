import type { ConnectionState } from '@sitrep/schema/select';
import type { Clock } from '../clock.ts';
import { systemClock } from '../clock.ts';
import { describe } from '../fault.ts';
import { guardSink } from './guard.ts';
import { uniqueName } from '../unique-name.ts';
import { PORT_INTERVAL, portMessage } from './port-messages.ts';
import type { PortLike, PortMessage } from './port-messages.ts';
import type { Diagnostic, SourceSink } from './source.ts';
import { createWatchdog } from './watchdog.ts';

const STATES: ReadonlySet<unknown> = new Set<ConnectionState>(['connecting', 'live', 'reconnecting', 'lost', 'ended']);

interface PortOptions {
  readonly port: PortLike;
  readonly interval?: number | undefined;
  readonly clock?: Clock | undefined;
}

/** Reads one port until it is over or `signal` aborts. `silent` is told of silence before the other end is asked again. */
export function readPort(
  { port, interval = PORT_INTERVAL, clock = systemClock }: PortOptions,
  given: SourceSink,
  signal: AbortSignal,
  silent?: () => void,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const sink = guardSink(given, signal);
    const reader = uniqueName();
    const watchdog = createWatchdog(clock, interval);
    let here: unknown;
    /** True until the newest question was answered by more than a sign of life. */
    let asking = false;

    const post = (message: PortMessage): void => {
      try {
        port.postMessage(message);
      } catch (error) {
        sink.diagnostic({ code: 'network', message: `The port took no message: ${describe(error)}.` });
      }
    };
    const ask = (): void => {
      asking = true;
      // First the watch, then the question: a port of one's own may answer at once.
      watchdog.arm(() => {
        sink.diagnostic({ code: 'watchdog', message: 'The other end of the port has been silent for 2.5 intervals. Asking again.' });
        sink.connection('reconnecting');
        silent?.();
        if (!signal.aborted) ask();
      });
      const cursor = sink.cursor();
      post({ sitrep: 'open', reader, ...(cursor !== undefined && { cursor }) });
    };
    const stay = (): void => {
      here = clock.setTimeout(() => {
        post({ sitrep: 'here', reader });
        stay();
      }, interval);
    };
    const close = (): void => {
      clock.clearTimeout(here);
      watchdog.disarm();
      port.removeEventListener('message', heard);
      signal.removeEventListener('abort', left);
      resolve();
    };
    const left = (): void => {
      post({ sitrep: 'close', reader });
      close();
    };
    const heard = ({ data }: { readonly data: unknown }): void => {
      const message = portMessage(data);
      if (message?.reader !== reader) return;
      // The other end is there and never heard the question: it was lost on the way.
      if (asking && message.sitrep === 'beat') return ask();
      asking = false;
      watchdog.beat(false);
      if (deliver(message, sink) === 'over') close();
    };

    port.addEventListener('message', heard);
    signal.addEventListener('abort', left);
    port.start?.();
    sink.connection('connecting');
    stay();
    ask();
  });
}

/** Hands on one message. `over` when nothing more will come. The other end is another page: it is not believed blindly. */
function deliver(message: PortMessage, sink: SourceSink): 'over' | undefined {
  switch (message.sitrep) {
    case 'frame':
      if (typeof message.cursor === 'string') sink.frame(message.value, message.cursor);
      else sink.frame(message.value);
      return undefined;
    case 'connection':
      if (!STATES.has(message.state)) return undefined;
      sink.connection(message.state);
      return message.state === 'ended' || message.state === 'lost' ? 'over' : undefined;
    case 'diagnostic':
      if (isDiagnostic(message.diagnostic)) sink.diagnostic(message.diagnostic);
      return undefined;
    default:
      return undefined;
  }
}

function isDiagnostic(value: unknown): value is Diagnostic {
  const { code, message } = (value ?? {}) as { code?: unknown; message?: unknown };
  return typeof code === 'string' && typeof message === 'string';
}
