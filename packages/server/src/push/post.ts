import { Agent, request } from 'node:https';
import type { RequestOptions } from 'node:https';
import { endpointFault, mayBePrivate, publicLookup } from './endpoint.ts';
import type { EndpointRules } from './endpoint.ts';
import type { Treatment } from './message.ts';
import type { VapidKeys } from './vapid.ts';

/** Where one browser can be reached, and the keys only it can read with. */
export interface PushTarget {
  readonly endpoint: string;
  /** Its public key, 65 bytes in base64url. */
  readonly p256dh: string;
  /** Its secret, 16 bytes in base64url. */
  readonly auth: string;
}

/** One message on its way. */
export interface Posting extends Treatment {
  readonly topic: string;
  readonly payload: Buffer;
}

/** Messages on their way to one push service at once. */
export const AT_ONCE = 16;

/** What a push service answered; status 0 where it could not be asked. */
export interface PostResult {
  readonly status: number;
  /** Milliseconds it asks to wait. */
  readonly retryAfterMs?: number | undefined;
  /** Why it could not be asked. */
  readonly fault?: string | undefined;
}

export interface PosterOptions extends EndpointRules {
  readonly keys: VapidKeys;
  /** Certificates of push services of one's own, PEM. Default: those of Node. */
  readonly ca?: string | undefined;
  /** Milliseconds for one message from connecting to the answer. Default 10,000. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Sends encrypted messages: RFC 8030 with aes128gcm (RFC 8291) and VAPID (RFC 8292). Only to public addresses, but for hosts that were named;
 * what a name points to is looked at when it is connected to. No redirect is followed, and no more of an answer read than its head.
 */
export class Poster {
  readonly #options: PosterOptions;
  readonly #agent: Agent;

  constructor(options: PosterOptions) {
    this.#options = options;
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: AT_ONCE,
      maxTotalSockets: 16 * AT_ONCE,
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    });
  }

  /** Never rejects. */
  async post(target: PushTarget, { payload, ttl, urgency, topic }: Posting): Promise<PostResult> {
    const { endpoint, p256dh, auth } = target;
    // What was allowed when it was stored need not be now.
    const fault = endpointFault(endpoint, this.#options);
    if (fault !== undefined) return { status: 0, fault };
    try {
      const { default: webPush } = await import('web-push');
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails: this.#options.keys,
        TTL: ttl,
        urgency,
        topic,
        contentEncoding: 'aes128gcm',
      });
      return await this.#send(endpoint, { ...headers } as Record<string, string>, body);
    } catch (error) {
      return { status: 0, fault: (error as Error).message };
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(endpoint: string, headers: Record<string, string>, body: Buffer): Promise<PostResult> {
    const { timeoutMs = 10_000 } = this.#options;
    const options: RequestOptions = { method: 'POST', headers, agent: this.#agent, signal: AbortSignal.timeout(timeoutMs) };
    if (!mayBePrivate(endpoint, this.#options)) options.lookup = publicLookup;
    return new Promise((resolve, reject) => {
      const outgoing = request(endpoint, options, (answer) => {
        const retryAfterMs = waitOf(answer.headers['retry-after']);
        resolve({ status: answer.statusCode ?? 0, retryAfterMs });
        // Bodies of push services are a sentence; a longer one is not waited for.
        let left = 65_536;
        answer.on('data', (chunk: Buffer) => (left -= chunk.length) < 0 && answer.destroy());
        answer.on('error', () => undefined);
      });
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}

/** `Retry-After` in milliseconds: seconds, or a date. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}
