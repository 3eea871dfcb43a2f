/** Where the sessions of a gateway are found on its own origin. */
export const SESSIONS = '/v1/sessions';

/** What is an address by itself, and no key of a session. */
const ADDRESS = /^(\.{0,2}\/|[a-z][a-z0-9+.-]*:\/\/|data:|blob:)/i;

/** The address of a session that is named by its key at a gateway's list, or by its address. */
export function sessionAddress(name: string, base: string): string {
  return ADDRESS.test(name) ? name : `${base.replace(/[?#].*$/, '').replace(/\/$/, '')}/${encodeURIComponent(name)}`;
}

/** The key in the address of a session; empty where there is none to be read. */
export function keyOf(address: string | undefined): string {
  const last = /([^/?#]*)\/?([?#].*)?$/.exec(address?.replace(/\/stream\/?(?=$|[?#])/, '') ?? '')?.[1] ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Sessions as an attribute: keys and addresses, divided by white space. */
export const namesAttribute = { converter: (value: string | null): string[] | undefined => value?.trim().split(/\s+/).filter(Boolean) };
