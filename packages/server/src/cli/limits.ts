import type { GatewayOptions } from '../gateway/options.ts';
import type { StoreLimits } from '../store/store.ts';
import { UsageError } from './usage-error.ts';

const GATEWAY_LIMITS = [
  'bodyLimit',
  'eventLimit',
  'batchLimit',
  'pendingLimit',
  'clientLimit',
  'sessionClientLimit',
  'addressClientLimit',
  'rateLimit',
  'operationLimit',
  'clientBufferLimit',
  'replayLimit',
  'slowClientMs',
  'heartbeatMs',
  'flushMs',
  'idleSessions',
] as const satisfies readonly (keyof GatewayOptions)[];
const STORE_LIMITS = [
  'events',
  'eventBytes',
  'sessions',
  'sessionAge',
  'tombstones',
  'receipts',
  'receiptAge',
] as const satisfies readonly (keyof StoreLimits)[];

/** Limits from the command line, for the gateway and for its store. */
export interface Limits {
  readonly gateway: { readonly [K in (typeof GATEWAY_LIMITS)[number]]?: number };
  readonly store: { readonly [K in (typeof STORE_LIMITS)[number]]?: number };
}

/** Reads `name=number` for each `--limit`. */
export function limitsOf(given: readonly string[]): Limits {
  const limits = { gateway: {} as Record<string, number>, store: {} as Record<string, number> };
  for (const text of given) {
    const [, name = '', value] = /^(\w+)=(.*)$/.exec(text) ?? [];
    const where = includes(GATEWAY_LIMITS, name) ? limits.gateway : includes(STORE_LIMITS, name) ? limits.store : undefined;
    if (!where) {
      throw new UsageError(
        `--limit is <name>=<number>, with one of these names: ${[...GATEWAY_LIMITS, ...STORE_LIMITS].join(', ')}.`,
        'serve',
      );
    }
    const amount = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value ?? '') || !(amount > 0))
      throw new UsageError(`--limit ${name} must be a number above 0, not "${value}".`, 'serve');
    where[name] = amount;
  }
  return limits;
}

function includes(names: readonly string[], name: string): boolean {
  return names.includes(name);
}
