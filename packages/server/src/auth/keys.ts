import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

/** Algorithms of tokens: one secret for both sides, or a private key that signs and a public one that checks. */
export const ALGORITHMS = Object.freeze(['HS256', 'EdDSA'] as const);

/** One of ALGORITHMS. */
export type Algorithm = (typeof ALGORITHMS)[number];

/** A key of tokens. It is bound to its algorithm, so that no token can choose another one for it. */
export interface TokenKey {
  readonly algorithm: Algorithm;
  /** Name of the key in the header of its tokens, where it has one. */
  readonly kid?: string | undefined;
  /** Checks signatures. */
  readonly verify: KeyObject;
  /** Signs; absent in a public key. */
  readonly sign?: KeyObject | undefined;
}

/** HS256 asks for a key no shorter than its hash. */
const MIN_SECRET_BYTES = 32;
const MAX_KEYS = 20;

/**
 * Reads keys: a JSON Web Key (`oct` or Ed25519), a set of them (`{"keys": […]}`; the first that can sign does, all are
 * accepted), Ed25519 in PEM, or else the text itself as a secret of at least 32 bytes.
 *
 * @throws Error that says what is wrong and never quotes the key
 */
export function readKeys(text: string): readonly TokenKey[] {
  const trimmed = text.trim();
  if (trimmed.startsWith('{')) return fromJson(trimmed);
  if (trimmed.startsWith('-----BEGIN')) return [fromPem(trimmed)];
  return [secret(Buffer.from(trimmed), undefined)];
}

/** Makes a key, as the text of a JSON Web Key: what `readKeys` takes. */
export function newKey(algorithm: Algorithm): string {
  const kid = randomBytes(6).toString('base64url');
  if (algorithm === 'HS256') return JSON.stringify({ kty: 'oct', alg: algorithm, kid, k: randomBytes(32).toString('base64url') });
  const { privateKey } = generateKeyPairSync('ed25519');
  return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg: algorithm, kid });
}

/** The half of a key that may be given away, as a JSON Web Key; undefined for a secret, which has none. */
export function publicKey(key: TokenKey): string | undefined {
  if (key.algorithm === 'HS256') return undefined;
  const jwk = { ...key.verify.export({ format: 'jwk' }), alg: key.algorithm, ...(key.kid === undefined ? {} : { kid: key.kid }) };
  return JSON.stringify(jwk);
}

function fromJson(text: string): readonly TokenKey[] {
  const value = attempt(() => JSON.parse(text) as unknown, 'The key begins like JSON and is none.');
  const list: unknown = Object.hasOwn(value as object, 'keys') ? (value as { keys: unknown }).keys : [value];
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_KEYS) {
    throw new Error(`A set of keys must hold 1 to ${MAX_KEYS} of them in "keys".`);
  }
  return list.map(fromJwk);
}

function fromJwk(value: unknown): TokenKey {
  const jwk = (typeof value === 'object' && value !== null ? value : {}) as JsonWebKey & {
    readonly kid?: unknown;
    readonly alg?: unknown;
    readonly use?: unknown;
  };
  const kid = typeof jwk.kid === 'string' ? jwk.kid : undefined;
  if (jwk.kty === 'oct' && typeof jwk.k === 'string') {
    refuseOther(jwk, 'HS256');
    return secret(Buffer.from(jwk.k, 'base64url'), kid);
  }
  if (jwk.kty === 'OKP' && jwk.crv === 'Ed25519') {
    refuseOther(jwk, 'EdDSA', 'Ed25519');
    const fault = 'The Ed25519 key cannot be read: "x", and "d" in a private one, must be its bytes in base64url.';
    if (jwk.d === undefined)
      return pair(
        attempt(() => createPublicKey({ key: jwk, format: 'jwk' }), fault),
        undefined,
        kid,
      );
    const sign = attempt(() => createPrivateKey({ key: jwk, format: 'jwk' }), fault);
    return pair(createPublicKey(sign), sign, kid);
  }
  throw new Error('A key must be a JSON Web Key with "kty": "oct" and "k", or with "kty": "OKP" and "crv": "Ed25519".');
}

/** A key that says what it is for is not used for anything else. */
function refuseOther(jwk: { readonly alg?: unknown; readonly use?: unknown }, ...algorithms: readonly string[]): void {
  if (jwk.alg !== undefined && !algorithms.includes(String(jwk.alg)))
    throw new Error(`This kind of key is for ${algorithms[0]}; its "alg" says otherwise.`);
  if (jwk.use !== undefined && jwk.use !== 'sig') throw new Error('The "use" of a key must be "sig", or be left out.');
}

function fromPem(text: string): TokenKey {
  const fault = 'The PEM cannot be read: it must hold one Ed25519 key, PKCS #8 and not encrypted, or its public half.';
  if (!text.includes('PRIVATE KEY'))
    return pair(
      attempt(() => createPublicKey(text), fault),
      undefined,
      undefined,
    );
  const sign = attempt(() => createPrivateKey(text), fault);
  return pair(createPublicKey(sign), sign, undefined);
}

function pair(verify: KeyObject, sign: KeyObject | undefined, kid: string | undefined): TokenKey {
  if (verify.asymmetricKeyType !== 'ed25519') throw new Error(`A pair of keys must be Ed25519, not ${verify.asymmetricKeyType}.`);
  return { algorithm: 'EdDSA', kid, verify, sign };
}

function secret(bytes: Buffer, kid: string | undefined): TokenKey {
  if (bytes.length < MIN_SECRET_BYTES) {
    throw new Error(
      `A secret must have at least ${MIN_SECRET_BYTES} bytes; this one has ${bytes.length}. \`sitrep token --new-key\` makes one.`,
    );
  }
  const key = createSecretKey(bytes);
  return { algorithm: 'HS256', kid, verify: key, sign: key };
}

function attempt<T>(read: () => T, fault: string): T {
  try {
    return read();
  } catch (cause) {
    throw new Error(fault, { cause });
  }
}
