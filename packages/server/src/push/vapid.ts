import { createECDH, createPrivateKey } from 'node:crypto';

/** The keys a gateway names itself with to push services, RFC 8292. A subscription is bound to the public one for ever. */
export interface VapidKeys {
  /** Whom the operator of a push service may turn to: a `mailto:` or `https:` URL. */
  readonly subject: string;
  /** A point of P-256, uncompressed, in base64url. */
  readonly publicKey: string;
  /** 32 bytes in base64url. */
  readonly privateKey: string;
}

const CURVE = 'prime256v1';
const PUBLIC_BYTES = 65;
const PRIVATE_BYTES = 32;

/** Makes a pair of keys. Throws a RangeError for a subject that is none. */
export function newVapidKeys(subject: string): VapidKeys {
  checkSubject(subject);
  const pair = createECDH(CURVE);
  pair.generateKeys();
  // Leading zeros are left out of the number and belong to the key.
  const secret = Buffer.alloc(PRIVATE_BYTES);
  const number = pair.getPrivateKey();
  number.copy(secret, PRIVATE_BYTES - number.length);
  return { subject, publicKey: pair.getPublicKey('base64url', 'uncompressed'), privateKey: secret.toString('base64url') };
}

/**
 * Reads keys: `{"subject", "publicKey", "privateKey"}` as JSON.
 *
 * @throws Error that says what is wrong and never quotes the private key
 */
export function readVapidKeys(text: string): VapidKeys {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error('The keys of push must be JSON with "subject", "publicKey" and "privateKey"; `sitrep push keys` makes them.', {
      cause,
    });
  }
  return checkVapidKeys(value);
}

/** Checks keys a program hands over. Throws an Error as `readVapidKeys`. */
export function checkVapidKeys(value: unknown): VapidKeys {
  const { subject, publicKey, privateKey } = (typeof value === 'object' && value !== null ? value : {}) as Partial<
    Record<keyof VapidKeys, unknown>
  >;
  checkSubject(subject);
  const point = bytesOf(publicKey, PUBLIC_BYTES);
  const secret = bytesOf(privateKey, PRIVATE_BYTES);
  if (!point || point[0] !== 4) throw new Error(`"publicKey" must be a point of P-256, ${PUBLIC_BYTES} bytes in base64url.`);
  if (!secret) throw new Error(`"privateKey" must be ${PRIVATE_BYTES} bytes in base64url.`);
  if (!isPair(point, secret)) throw new Error('"publicKey" is not that of "privateKey".');
  return { subject: subject as string, publicKey: point.toString('base64url'), privateKey: secret.toString('base64url') };
}

function checkSubject(subject: unknown): void {
  const url = typeof subject === 'string' && URL.canParse(subject) ? new URL(subject) : undefined;
  const names = url?.protocol === 'mailto:' ? url.pathname.includes('@') : url?.protocol === 'https:' && url.hostname !== 'localhost';
  if (!names) throw new RangeError('The "subject" of the keys of push must say whom to turn to: mailto:ops@example.com, or an https URL.');
}

function isPair(point: Buffer, secret: Buffer): boolean {
  try {
    const x = point.subarray(1, 33).toString('base64url');
    const y = point.subarray(33).toString('base64url');
    createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d: secret.toString('base64url') }, format: 'jwk' });
    const pair = createECDH(CURVE);
    pair.setPrivateKey(secret);
    return pair.getPublicKey().equals(point);
  } catch {
    return false;
  }
}

/** The bytes a text in base64url stands for, if they are so many. */
export function bytesOf(text: unknown, length: number): Buffer | undefined {
  if (typeof text !== 'string' || text.length > 2 * length || !/^[\w-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length ? bytes : undefined;
}
