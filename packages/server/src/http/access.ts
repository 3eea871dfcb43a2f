import type { Context } from 'hono';
import { covers, reaches, reachesAll } from '../auth/grant.ts';
import type { Grant, Scope } from '../auth/grant.ts';
import type { TokenKey } from '../auth/keys.ts';
import { Tickets } from '../auth/tickets.ts';
import { verifyToken } from '../auth/token.ts';
import type { ResolvedOptions } from '../gateway/options.ts';
import { AddressCount } from './address-count.ts';
import { addressOf } from './address.ts';
import { RateLimiter } from './rate-limiter.ts';
import type { Clock } from '../gateway/clock.ts';
import { Deadlines } from '../gateway/deadlines.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { readCookie } from './cookie.ts';
import { asksForSocket, offeredToken } from '../socket/upgrades.ts';
import type { GatewayEnv } from './types.ts';

type C = Context<GatewayEnv>;

/** Verified tokens that are remembered, so that a producer does not have one checked for each request. */
const MAX_REMEMBERED = 1_000;

/** What of the gateway's options is needed here. */
type AccessOptions = Pick<ResolvedOptions, 'keys' | 'clock' | 'rateLimit' | 'trustProxy' | 'addressClientLimit' | 'store'>;

/** Who may do what over HTTP, and how often. Without keys everybody may do everything. */
export class Access {
  readonly tickets: Tickets;
  /** When streams end because their tokens do. */
  readonly deadlines: Deadlines;
  /** How often each token or address may ask. */
  readonly rate: RateLimiter;
  readonly #streams: AddressCount;
  readonly #trustProxy: boolean;
  readonly #keys: readonly TokenKey[];
  readonly #clock: Clock;
  readonly #remembered = new Map<string, Grant>();

  constructor(options: AccessOptions) {
    const { keys, clock, rateLimit, trustProxy, addressClientLimit } = options;
    this.tickets = new Tickets(options.store.records);
    this.#keys = keys;
    this.#clock = clock;
    this.#trustProxy = trustProxy;
    this.deadlines = new Deadlines(clock);
    this.rate = new RateLimiter(rateLimit, clock);
    this.#streams = new AddressCount(addressClientLimit);
  }

  /** True when nobody needs a token. */
  get open(): boolean {
    return this.#keys.length === 0;
  }

  /**
   * What the request may do, from its `Authorization` header, for a socket from its subprotocols or, for reading only, from its
   * cookie. Undefined without keys.
   *
   * @throws GatewayError `unauthorized`, `invalid_token`, `token_expired` or `too_many_requests`
   */
  async grant(c: C): Promise<Grant | undefined> {
    const grant = await this.#grant(c);
    if (grant) c.set('token', grant.subject ?? grant.id);
    return grant;
  }

  /** True when the request says who it is, by a header or a subprotocol. */
  carriesToken(c: C): boolean {
    return c.req.header('authorization') !== undefined || tokenOffered(c) !== undefined;
  }

  /** What the token allows that a request carries in its header or a subprotocol. Undefined without keys. */
  async bearer(c: C): Promise<Grant | undefined> {
    if (this.open) return undefined;
    const header = c.req.header('authorization');
    const token = header === undefined ? tokenOffered(c) : /^bearer +([\w.~+/-]+=*) *$/i.exec(header)?.[1];
    if (token === undefined) throw new GatewayError('unauthorized', "Send the token as 'Authorization: Bearer <token>'.");
    return this.#verify(token, c);
  }

  /**
   * What a token allows that came in another way than with a request. Undefined without keys.
   *
   * @throws GatewayError as `grant`
   */
  async grantOf(c: C, token: string | undefined): Promise<Grant | undefined> {
    if (this.open) return undefined;
    if (token === undefined) throw new GatewayError('unauthorized', 'This needs a token.');
    return this.#verify(token, c);
  }

  /** Counts a request over a connection that is there already. */
  takeFor(c: C, grant: Grant | undefined): void {
    this.rate.take(grant ? `token ${grant.id}` : this.#address(c));
  }

  async #grant(c: C): Promise<Grant | undefined> {
    if (this.open) {
      this.rate.take(this.#address(c));
      return undefined;
    }
    if (this.carriesToken(c)) return this.bearer(c) as Promise<Grant>;
    // A cookie goes out by itself: it must not be able to change anything.
    const cookie = c.req.method === 'GET' || c.req.method === 'HEAD' ? readCookie(c) : undefined;
    if (cookie !== undefined) return this.#verify(cookie, c);
    this.rate.take(this.#address(c));
    throw new GatewayError('unauthorized', "This needs a token: send 'Authorization: Bearer <token>'. `sitrep token` makes them.");
  }

  /**
   * Lets the request do this to a session, or throws. It is decided by the token alone, before anybody looks whether
   * there is such a session: the answer is the same for one that is not.
   *
   * @throws GatewayError as `grant`, or `forbidden`
   */
  async permit(c: C, scope: Scope, session: string): Promise<Grant | undefined> {
    const grant = await this.grant(c);
    if (grant && !reaches(grant, session)) throw new GatewayError('forbidden', 'The token does not reach this session.');
    if (grant && !covers(grant, scope)) throw new GatewayError('forbidden', `The token does not allow this: it needs the scope ${scope}.`);
    return grant;
  }

  /** Lets only an administrator of every session pass. */
  async permitAdmin(c: C): Promise<void> {
    const grant = await this.grant(c);
    if (grant && !(covers(grant, 'admin') && reachesAll(grant))) {
      throw new GatewayError('forbidden', 'The token does not allow this: it needs the scope admin for all sessions.');
    }
  }

  /** Lets a stream be opened: by token, by cookie, or by a ticket, which is used up. */
  async permitStream(c: C, session: string): Promise<Grant | undefined> {
    const ticket = c.req.query('ticket');
    if (this.open || ticket === undefined || c.req.header('authorization') !== undefined) return this.permit(c, 'read', session);
    this.rate.take(this.#address(c));
    const redeemed = await this.tickets.redeem(ticket, session, this.#clock.now());
    if (!redeemed)
      throw new GatewayError('invalid_token', 'The ticket was used already, is too old, or is of another session. Ask for another.');
    return redeemed.grant;
  }

  /** Counts a request that needs no token. */
  countAddress(c: C): void {
    this.rate.take(this.#address(c));
  }

  /** Counts a stream of the request's address until the returned function is called. */
  countStream(c: C): () => void {
    return this.#streams.enter(this.#address(c));
  }

  #address(c: C): string {
    return addressOf(c, this.#trustProxy);
  }

  async #verify(token: string, c: C): Promise<Grant> {
    const now = this.#clock.now();
    const known = this.#remembered.get(token);
    if (known && known.expiresAt > now) {
      this.rate.take(`token ${known.id}`);
      return known;
    }
    // Signatures cost something, and whoever sends bad ones has no token to count them by.
    this.rate.take(this.#address(c));
    this.#remembered.delete(token);
    const grant = await verifyToken(this.#keys, token, now);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.delete(this.#remembered.keys().next().value as string);
    this.#remembered.set(token, grant);
    return grant;
  }
}

function tokenOffered(c: C): string | undefined {
  return asksForSocket(c.env?.incoming) ? offeredToken(c.env.incoming) : undefined;
}
