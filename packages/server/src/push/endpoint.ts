import { lookup as resolve } from 'node:dns';
import type { LookupAddress } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import type { LookupFunction } from 'node:net';

/**
 * Push services of browsers: Chrome and other Chromium, Firefox, Safari, Edge on Windows. What a page says its endpoint is
 * the gateway will POST to, so that it must not be anything else.
 */
const SERVICES = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
] as const;

/** Characters of an endpoint. */
export const MAX_ENDPOINT = 2_048;

/** Where the gateway may send pushes. */
export interface EndpointRules {
  /** More hosts of push services: `name`, `name:port`, or `*.name` for all below it. Default: none. */
  readonly hosts?: readonly string[] | undefined;
  /** Push services of one's own that have an address of one's own network, as in `hosts`. Default: none. */
  readonly privateHosts?: readonly string[] | undefined;
}

/** What is wrong with an endpoint; undefined when nothing is. Its address is judged when it is known, by `publicLookup`. */
export function endpointFault(endpoint: unknown, { hosts = [], privateHosts = [] }: EndpointRules): string | undefined {
  if (typeof endpoint !== 'string' || endpoint.length > MAX_ENDPOINT || !URL.canParse(endpoint))
    return `endpoint must be a URL of at most ${MAX_ENDPOINT} characters.`;
  const url = new URL(endpoint);
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    return 'endpoint must be an https URL without a name or password.';
  if (isListed(url, privateHosts)) return undefined;
  if (!isListed(url, [...SERVICES, ...hosts])) {
    return `${url.host} is no push service this gateway knows. Add it to its hosts of push (--push-host) if it is one.`;
  }
  const address = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(address) && !isPublic(address) ? 'endpoint must not be an address of this network.' : undefined;
}

/** True when it may be at an address of one's own network. */
export function mayBePrivate(endpoint: string, { privateHosts = [] }: EndpointRules): boolean {
  return isListed(new URL(endpoint), privateHosts);
}

function isListed({ hostname, port }: URL, hosts: readonly string[]): boolean {
  return hosts.some((text) => {
    const [, name = '', listed = ''] = /^(.*?)(?::(\d+))?$/.exec(text.toLowerCase()) ?? [];
    if ((listed === '443' ? '' : listed) !== port) return false;
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
  });
}

const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv4');
/** Global unicast is all there is of the public IPv6; of that, what leads back to IPv4 or into documents is not. */
const GLOBAL6 = new BlockList();
GLOBAL6.addSubnet('2000::', 3, 'ipv6');
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  SPECIAL.addSubnet(network, prefix, 'ipv6');

/** True for an address on the public internet. */
export function isPublic(address: string): boolean {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (isIP(plain) === 4) return !SPECIAL.check(plain, 'ipv4');
  return isIP(plain) === 6 && GLOBAL6.check(plain, 'ipv6') && !SPECIAL.check(plain, 'ipv6');
}

/** Looks a name up, and fails when any of its addresses is not public: whoever owns a name decides where it points. */
export const publicLookup: LookupFunction = (hostname, options, callback) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, '', 0);
    const all = addresses as readonly LookupAddress[];
    const own = all.find(({ address }) => !isPublic(address));
    const first = all[0];
    if (own || !first) {
      const fault = new Error(own ? `${hostname} points to ${own.address}, an address of this network.` : `${hostname} has no address.`);
      return callback(Object.assign(fault, { code: 'ERR_PRIVATE_ADDRESS' }), '', 0);
    }
    if (options.all) return callback(null, [...all]);
    return callback(null, first.address, first.family);
  });
};
