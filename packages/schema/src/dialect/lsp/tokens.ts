import { isText } from '../../check/guards.ts';
import { LIMITS } from '../../wire/limits.ts';
import type { OperationEvent } from '../../wire/operation.ts';
import type { Id } from '../../wire/scalars.ts';
import { nativeId } from '../native.ts';
import { readId } from '../reading.ts';
import { NAME } from './frames.ts';
import type { LspToken } from './frames.ts';

/** What is known of one token: which attempt it is in, and how that stands. */
export interface TokenState {
  readonly token: LspToken;
  readonly attempt: number;
  readonly stage: 'created' | 'begun' | 'ended';
  readonly cancelled: boolean;
}

/** The tokens of one connection, the one that moved last at the end. At most 256. */
export interface LspMemory {
  readonly tokens: readonly TokenState[];
}

const MAX_TOKENS = 256;
const INT32 = 2 ** 31;

/** What is known of a token; one never seen is in its first attempt. */
export function knownToken(memory: LspMemory | undefined, token: LspToken): TokenState {
  return memory?.tokens.find((each) => each.token === token) ?? { token, attempt: 1, stage: 'created', cancelled: false };
}

/** The memory after a message. A token that begins again, ended or not, is in its next attempt. */
export function stepped(memory: LspMemory | undefined, token: LspToken, step: 'create' | 'begin' | 'end' | 'cancel'): LspMemory {
  const known = knownToken(memory, token);
  const others = (memory?.tokens ?? []).filter((each) => each.token !== token);
  // What has ended is forgotten first: its token may never come again.
  if (others.length >= MAX_TOKENS)
    others.splice(
      Math.max(
        0,
        others.findIndex((each) => each.stage === 'ended'),
      ),
      1,
    );
  return { tokens: [...others, moved(known, step)] };
}

function moved(known: TokenState, step: 'create' | 'begin' | 'end' | 'cancel'): TokenState {
  const next = { ...known, attempt: known.attempt + 1, cancelled: false };
  switch (step) {
    case 'create':
      return known.stage === 'created' ? known : { ...next, stage: 'created' };
    case 'begin':
      return known.stage === 'created' ? { ...known, stage: 'begun' } : { ...next, stage: 'begun' };
    case 'end':
      return { ...known, stage: 'ended' };
    case 'cancel':
      return { ...known, cancelled: true };
    default:
      return step satisfies never;
  }
}

/** What begins a token that names run, id and attempt. */
const OWN = 'sitrep:';

/**
 * The token of an operation: the peer's own where it is the peer's, else the id, where that alone names the attempt and
 * the protocol can carry it, else one that names run, id and attempt.
 */
export function tokenOf(event: OperationEvent): LspToken {
  const theirs = nativeId(event, NAME, 'token');
  if (theirs !== undefined) return theirs;
  const { id, run, attempt = 1 } = event;
  const isNamed = typeof id === 'string' ? !id.startsWith(OWN) : id >= -INT32 && id < INT32;
  return run === undefined && attempt === 1 && isNamed ? id : OWN + JSON.stringify([run ?? null, id, attempt]);
}

/** What a token of ours names, for a peer that hands back the token alone; undefined for any other. */
export function ownToken(token: LspToken | undefined): { readonly id: Id; readonly run?: string; readonly attempt: number } | undefined {
  if (typeof token !== 'string' || !token.startsWith(OWN)) return undefined;
  try {
    const parts: unknown = JSON.parse(token.slice(OWN.length));
    if (!Array.isArray(parts) || parts.length !== 3) return undefined;
    const [run, written, attempt] = parts as readonly unknown[];
    const id = readId(written);
    if (id === undefined || !Number.isSafeInteger(attempt) || (attempt as number) < 1) return undefined;
    if (run !== null && !isText(run, 1, LIMITS.id)) return undefined;
    return { id, attempt: attempt as number, ...(run === null ? undefined : { run }) };
  } catch {
    return undefined;
  }
}
