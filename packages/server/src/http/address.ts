import { isIPv6 } from 'node:net';
import type { Context } from 'hono';
import type { GatewayEnv } from './types.ts';

/**
 * Whom a request comes from, as far as limits go: the address, and of IPv6 the first half, because one subscriber has all
 * of the second. Behind a proxy that is trusted it is the address that proxy saw, the last of `X-Forwarded-For`; what
 * stands before that was said by the caller.
 */
export function addressOf(c: Context<GatewayEnv>, trustProxy: boolean): string {
  const forwarded = trustProxy ? c.req.header('x-forwarded-for')?.split(',').at(-1)?.trim() : undefined;
  return network(forwarded || (c.env?.incoming?.socket.remoteAddress ?? ''));
}

function network(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').replace(/^\[|\]$|%.*$/g, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) groups.push(...Array<string>(Math.max(0, 8 - groups.length - tail.split(':').filter(Boolean).length)).fill('0'));
  return `${[...groups, ...(tail?.split(':') ?? [])]
    .slice(0, 4)
    .map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}
