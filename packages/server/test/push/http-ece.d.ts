declare module 'http_ece' {
  import type { ECDH } from 'node:crypto';

  /** Takes a message of RFC 8188 apart. Throws where it is none, or for somebody else. */
  export function decrypt(
    body: Buffer,
    keys: { readonly version: 'aes128gcm'; readonly privateKey: ECDH; readonly authSecret: Buffer },
  ): Buffer;
}
