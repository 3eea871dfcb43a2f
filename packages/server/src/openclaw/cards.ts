import { checkOpenClawCall, OPENCLAW_CARD_METHODS, progressCard } from '@sitrep/schema/dialect';
import type { OpenClawCardCall, OpenClawCardFrame, OpenClawRefreshAnswer, OpenClawTarget } from '@sitrep/schema/dialect';
import type { Card } from '@sitrep/schema';
import { reaches } from '../auth/grant.ts';
import type { Grant } from '../auth/grant.ts';
import type { GatewayCore } from '../gateway/gateway.ts';
import { RefusedError } from './frames.ts';

/** Answers to `refresh` that are remembered by their keys. */
const MAX_RECEIPTS = 1_000;

/** Who asks. */
export interface Caller {
  readonly grant: Grant | undefined;
  readonly scopes: readonly string[];
  /** Tells the caller of changes of this session's card from now on. */
  watch(session: string): Promise<void>;
}

/** The key a session has there and here: the one global session is told apart by its agent. */
export function sessionOf({ sessionKey, agentId }: OpenClawTarget): string {
  return sessionKey === 'global' && agentId !== undefined ? `agent:${agentId}:global` : sessionKey;
}

/** The methods of progress cards over the sessions of a gateway. */
export class CardMethods {
  readonly #core: GatewayCore;
  /** Called when a card that never was is cleared: nothing is written of that, and it is announced all the same. */
  readonly #cleared: (session: string) => void;
  readonly #receipts = new Map<string, OpenClawRefreshAnswer>();

  constructor(core: GatewayCore, cleared: (session: string) => void) {
    this.#core = core;
    this.#cleared = cleared;
  }

  /** Carries a request out. Throws a RefusedError or a GatewayError. */
  async call(method: string, params: unknown, caller: Caller): Promise<unknown> {
    if (!(OPENCLAW_CARD_METHODS as readonly string[]).includes(method)) {
      throw new RefusedError('INVALID_REQUEST', `unknown method: ${method}`);
    }
    const needed = method === 'progressCard.get' ? 'operator.read' : 'operator.write';
    if (!caller.scopes.includes(needed)) {
      const details = { code: 'MISSING_SCOPE', missingScope: needed, requiredScopes: [needed] };
      throw new RefusedError('FORBIDDEN', `missing scope: ${needed}`, { details });
    }
    const checked = checkOpenClawCall(method, params);
    if (!checked.ok) throw refusedParams(method, checked.issues[0]);
    const session = sessionOf(checked.value);
    if (caller.grant && !reaches(caller.grant, session)) {
      const details = { code: 'SESSION_PARTICIPATION_REQUIRED', sessionKey: session, visibility: 'draft' };
      throw new RefusedError('INVALID_REQUEST', 'session is draft for this connection', { details });
    }
    await caller.watch(session);
    const call = checked.value;
    if (call.method === 'progressCard.put') return { card: await this.#put(session, call) };
    if (call.method === 'progressCard.refresh') return this.#refresh(session, call.idempotencyKey);
    return { card: await this.#card(session) };
  }

  async #card(session: string): Promise<OpenClawCardFrame | null> {
    const { card, revision, cardUpdatedAt, at } = await this.#core.snapshot(session);
    return frameOf(session, revision, cardUpdatedAt ?? at, card);
  }

  async #put(
    session: string,
    { card, expectedRevision }: Extract<OpenClawCardCall, { method: 'progressCard.put' }>,
  ): Promise<OpenClawCardFrame | null> {
    const clears = card.plan === undefined && card.markdown === undefined;
    if (clears && (await this.#card(session)) === null) {
      // A compared clear that finds another revision announces nothing, and a tombstone has none to compare.
      if (expectedRevision === undefined) this.#cleared(session);
      return null;
    }
    const written = await this.#core.putCard(session, { ...card, ...(expectedRevision !== undefined && { expectedRevision }) });
    if (written.ok) {
      if (written.cleared) return null;
      const now = await this.#core.snapshot(session);
      // Somebody may have written since: the answer is what this call wrote.
      const mine = now.revision === written.revision ? now.card : card;
      return frameOf(session, written.revision, now.cardUpdatedAt ?? now.at, mine);
    }
    if (written.code === 'conflict') return this.#card(session);
    if (written.code === 'unavailable') throw new RefusedError('UNAVAILABLE', written.message);
    throw refusedParams('progressCard.put', written.issues[0]);
  }

  async #refresh(session: string, key: string): Promise<OpenClawRefreshAnswer> {
    const name = JSON.stringify([session, key]);
    const before = this.#receipts.get(name);
    if (before) return before;
    if ((await this.#card(session)) === null) throw new RefusedError('INVALID_REQUEST', 'There is no progress card to refresh.');
    const { id, revision } = await this.#core.refresh(session).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== 'no_producer') throw error;
      // Nobody could write it: the next try is a new one.
      const details = { code: 'PROGRESS_CARD_REFRESH_TERMINAL' };
      throw new RefusedError('UNAVAILABLE', 'The agent could not refresh this card. Retry the refresh.', { details });
    });
    const answer = { runId: `progress-card-refresh:${id}`, status: 'accepted', revision } as const;
    this.#receipts.set(name, answer);
    if (this.#receipts.size > MAX_RECEIPTS) this.#receipts.delete(this.#receipts.keys().next().value as string);
    return answer;
  }
}

function frameOf(session: string, revision: number, at: number, card: Card | null): OpenClawCardFrame | null {
  const [frame] = card === null ? [] : progressCard.encode({ type: 'card', session, revision, at, card });
  return frame !== undefined && 'revision' in frame ? frame : null;
}

function refusedParams(method: string, issue: { readonly path: string; readonly message: string } | undefined): RefusedError {
  if (issue?.path === '/expectedRevision' && issue.message.includes('only a clear'))
    return new RefusedError('INVALID_REQUEST', 'expectedRevision is only valid when clearing a card');
  return new RefusedError('INVALID_REQUEST', `invalid ${method} params: ${issue?.message ?? 'they cannot be read'}`);
}
