import type { Log } from '../gateway/log.ts';
import type { RequestEntry } from '../gateway/options.ts';
import { UsageError } from './usage-error.ts';

/** Bytes of lines that may wait for whoever reads the log; then lines are lost, and the gateway goes on. */
const MAX_WAITING = 4_194_304;

/** How `sitrep serve` tells on standard error what goes on: in sentences, or as JSON, an object a line. */
export async function logOf(format: string | undefined): Promise<Log> {
  if (format === undefined || format === 'text') return (line) => process.stderr.write(`sitrep: ${line}\n`);
  if (format !== 'json') throw new UsageError(`--log must be text or json, not "${format}".`, 'serve');
  const { pino } = await import('pino');
  // Whoever reads the log slowly, or not at all, must not hold up the gateway.
  const destination = pino.destination({ dest: process.stderr.fd, sync: false, maxLength: MAX_WAITING });
  destination.on('error', () => undefined);
  process.on('exit', () => {
    try {
      destination.flushSync();
    } catch {
      // Nobody reads it any more.
    }
  });
  const logger = pino(
    {
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  );
  return (message, { event = 'note', level = 'warn', ...fields } = { event: 'note' }) => logger[level]({ event, ...fields }, message);
}

/** Logs each request. */
export function requestLog(log: Log): (request: RequestEntry) => void {
  return ({ method, path, status, ms, token }) =>
    log(`${method} ${path} ${status}`, { event: 'request', level: 'info', method, path, status, ms: Math.round(ms * 10) / 10, token });
}
