import type { RedisAddress } from './link.ts';

/** Schemes of addresses, and whether they name a cluster. */
const SCHEMES = new Map([
  ['redis:', false],
  ['rediss:', false],
  ['redis+cluster:', true],
  ['rediss+cluster:', true],
]);

/** True for text that is the address of a Redis store, right or wrong. */
export function isRedisAddress(text: string): boolean {
  return [...SCHEMES.keys()].some((scheme) => text.startsWith(`${scheme}//`));
}

/** Reads an address. `shown` may be written to a log: it holds no password. */
export function readAddress(text: string): RedisAddress & { readonly shown: string } {
  const [, scheme = '', rest = ''] = /^([a-z+]+:)\/\/(.*)$/.exec(text) ?? [];
  const cluster = SCHEMES.get(scheme);
  if (cluster === undefined || rest === '') {
    throw new TypeError(
      'The address of a Redis store is redis://host:port, rediss://host:port, or redis+cluster://host:port,host:port with some nodes of a cluster.',
    );
  }
  const [, login = '', hosts = ''] = /^([^@]*@)?(.*)$/.exec(rest) ?? [];
  const each = cluster ? hosts.split(',') : [hosts];
  const urls = each.map((host) => `${scheme.replace('+cluster', '')}//${login}${host}`);
  for (const url of urls) {
    if (!URL.canParse(url) || new URL(url).hostname === '')
      throw new TypeError(`The address of a Redis store names no host: ${scheme}//${hosts}`);
  }
  return { urls, cluster, shown: `${scheme}//${hosts}` };
}
