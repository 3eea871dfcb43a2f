/** What a service worker has to know and no message says; the page that subscribes writes it down. */
export interface PushSetup {
  /** Address of the gateway, absolute, without a slash at its end. */
  readonly gateway: string;
  /** The gateway's public key, base64url. */
  readonly key: string;
  /** The subscription as the gateway knows it, so that a new one can take its place. */
  readonly endpoint: string;
  readonly auth: string;
  /** Address of a session's page, with `{session}` for its name; relative to the worker's scope. */
  readonly open: string;
}

/** The part of `caches` that is needed: the one store that pages and workers share and that takes no setting up. */
export interface CachesLike {
  open(name: string): Promise<Pick<Cache, 'match' | 'put' | 'delete'>>;
}

const STORE = 'sitrep-push';
const SETUP = '/sitrep-push/setup';
const TOLD = '/sitrep-push/told';
/** Messages that are remembered, so that a repeat is not noticed twice. */
const MAX_TOLD = 50;

/** Writes the setup down; null forgets it. */
export async function keepSetup(caches: CachesLike, setup: PushSetup | null): Promise<void> {
  const store = await caches.open(STORE);
  if (setup) await store.put(SETUP, Response.json(setup));
  else await store.delete(SETUP);
}

/** The setup, if a page wrote one down. */
export async function setupOf(caches: CachesLike): Promise<PushSetup | undefined> {
  return read<PushSetup>(caches, SETUP);
}

/** Notes that a message was noticed. Answers whether it had been before. */
export async function noteTold(caches: CachesLike, id: string): Promise<boolean> {
  const before = (await read<readonly string[]>(caches, TOLD)) ?? [];
  if (before.includes(id)) return true;
  const store = await caches.open(STORE);
  await store.put(TOLD, Response.json([...before, id].slice(-MAX_TOLD)));
  return false;
}

async function read<T>(caches: CachesLike, name: string): Promise<T | undefined> {
  const found = await (await caches.open(STORE)).match(name);
  return found === undefined ? undefined : ((await found.json()) as T);
}
