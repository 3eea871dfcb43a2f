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
  // A login ends at the last @: one in a password is none that a URL should have, and it must not be shown.
  const parts = (cluster ? rest.split(',') : [rest]).map((part) => {
    const end = part.lastIndexOf('@') + 1;
    return { login: part.slice(0, end), host: part.slice(end) };
  });
  const login = parts.find((part) => part.login !== '')?.login ?? '';
  const hosts = parts.map(({ host }) => host).join(',');
  const urls = parts.map(({ host }) => `${scheme.replace('+cluster', '')}//${login}${host}`);
  for (const url of urls) {
    if (!URL.canParse(url) || new URL(url).hostname === '')
      throw new TypeError(`The address of a Redis store names no host: ${scheme}//${hosts}`);
  }
  return { urls, cluster, shown: `${scheme}//${hosts}` };
}
