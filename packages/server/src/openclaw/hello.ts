import { randomUUID } from 'node:crypto';
import { OPENCLAW_AGENT_SCOPE, OPENCLAW_CARD_METHODS } from '@sitrep/schema/dialect';
import type { Grant } from '../auth/grant.ts';
import { version } from '../version.ts';
import { RefusedError } from './frames.ts';

/** Versions of the protocol that are spoken. */
const PROTOCOL = { min: 3, max: 4 };

/** What a scope of ours is called there. Each contains the ones before. */
const SCOPES = {
  read: ['operator.read'],
  write: ['operator.read', 'operator.write'],
  admin: ['operator.read', 'operator.write', 'operator.admin'],
};

export const EVENTS = ['connect.challenge', 'progressCard.changed', 'tick', 'shutdown'] as const;

/** What a client said of itself, as far as it matters here. */
export interface ConnectCall {
  readonly protocol: number;
  readonly token: string | undefined;
  readonly scopes: readonly string[] | undefined;
}

/** Reads the params of `connect`. Throws a RefusedError in that gateway's words. */
export function readConnect(params: unknown): ConnectCall {
  const { minProtocol, maxProtocol, client, auth, role = 'operator', scopes } = record(params, '');
  if (!isVersion(minProtocol) || !isVersion(maxProtocol)) throw invalid('minProtocol and maxProtocol must be whole numbers of at least 1');
  for (const [key, value] of Object.entries(record(client, '/client'))) {
    if (typeof value !== 'string' || value === '') throw invalid(`/client/${key} must be text`);
  }
  for (const key of ['id', 'version', 'platform', 'mode'])
    if (!Object.hasOwn(client as object, key)) throw invalid(`/client must have ${key}`);
  const { token } = auth === undefined ? { token: undefined } : record(auth, '/auth');
  if (token !== undefined && typeof token !== 'string') throw invalid('/auth/token must be text');
  if (scopes !== undefined && !(Array.isArray(scopes) && scopes.every((scope) => typeof scope === 'string')))
    throw invalid('/scopes must be a list of text');
  if (role !== 'operator') throw new RefusedError('INVALID_REQUEST', 'invalid role');
  if (maxProtocol < PROTOCOL.min || minProtocol > PROTOCOL.max) {
    throw new RefusedError('INVALID_REQUEST', 'protocol mismatch', {
      details: { code: 'PROTOCOL_MISMATCH', expectedProtocol: PROTOCOL.max },
    });
  }
  return { protocol: Math.min(maxProtocol, PROTOCOL.max), token: token || undefined, scopes: scopes as string[] | undefined };
}

/** Scopes a client has: of those its token allows, the ones it asked for. */
export function scopesOf(grant: Grant | undefined, asked: readonly string[] | undefined): readonly string[] {
  const allowed = SCOPES[grant?.scope ?? 'admin'];
  return asked === undefined || asked.length === 0
    ? allowed
    : allowed.filter((scope) => asked.includes(scope) || asked.includes('operator.admin'));
}

/** What is answered to `connect`. */
export function helloOk(
  { protocol }: ConnectCall,
  scopes: readonly string[],
  policy: { readonly maxPayload: number; readonly maxBufferedBytes: number; readonly tickIntervalMs: number },
): object {
  return {
    type: 'hello-ok',
    protocol,
    server: { version: version(), connId: randomUUID() },
    features: { methods: OPENCLAW_CARD_METHODS, events: EVENTS, capabilities: [OPENCLAW_AGENT_SCOPE] },
    snapshot: { presence: [], health: {}, stateVersion: { presence: 0, health: 0 }, uptimeMs: Math.round(performance.now()) },
    auth: { role: 'operator', scopes },
    policy,
  };
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

function record(value: unknown, path: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Readonly<Record<string, unknown>>;
  throw invalid(`${path || 'params'} must be an object`);
}

function invalid(why: string): RefusedError {
  return new RefusedError('INVALID_REQUEST', `invalid connect params: ${why}`);
}
