import type { Log } from '../gateway/log.ts';
import type { RequestEntry } from '../gateway/options.ts';
import { UsageError } from './usage-error.ts';

/** How `sitrep serve` tells on standard error what goes on: in sentences, or as JSON, an object a line. */
export function logOf(format: string | undefined): Log {
  if (format === undefined || format === 'text') return (line) => process.stderr.write(`sitrep: ${line}\n`);
  if (format !== 'json') throw new UsageError(`--log must be text or json, not "${format}".`, 'serve');
  return (message, { event = 'note', level = 'warn', ...fields } = { event: 'note' }) => {
    process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), level, event, message, ...fields })}\n`);
  };
}

/** Logs each request. */
export function requestLog(log: Log): (request: RequestEntry) => void {
  return ({ method, path, status, ms, token }) =>
    log(`${method} ${path} ${status}`, { event: 'request', level: 'info', method, path, status, ms: Math.round(ms * 10) / 10, token });
}
