import type { Context } from 'hono';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { GatewayEnv } from './types.ts';

/**
 * Reads a JSON body within the limit.
 *
 * @param what the body should be, for the answer when it is no JSON
 * @throws GatewayError for a wrong content type, a body that is too large, broken off, or no JSON
 */
export async function readJson(c: Context<GatewayEnv>, limit: number, what: string): Promise<unknown> {
  return (await readJsonText(c, limit, what)).value;
}

/** The same, with the text as it came. */
export async function readJsonText(
  c: Context<GatewayEnv>,
  limit: number,
  what: string,
): Promise<{ readonly value: unknown; readonly text: string }> {
  const [type, ...parameters] = (c.req.header('content-type') ?? '').split(';').map((part) => part.trim().toLowerCase());
  if (type !== 'application/json') {
    throw new GatewayError('unsupported_media_type', "The body must be JSON: send the header 'content-type: application/json'.");
  }
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset)) {
    throw new GatewayError('unsupported_media_type', 'The body must be UTF-8: leave the charset out of the content type.');
  }
  if (!/^(identity)?$/i.test(c.req.header('content-encoding') ?? '')) {
    throw new GatewayError('unsupported_media_type', 'The body must be sent as it is, without content-encoding.');
  }
  const text = await readText(c, limit).catch((error: Error) => {
    if (error.name === 'GatewayError') throw error;
    // Nobody is left to read this; it is not worth a line in the log either.
    throw new GatewayError('bad_request', 'The request broke off before the end of its body.', { cause: error });
  });
  try {
    return { value: JSON.parse(text) as unknown, text };
  } catch {
    throw new GatewayError('bad_json', `The body is not JSON. Send ${what}.`);
  }
}

async function readText(c: Context<GatewayEnv>, limit: number): Promise<string> {
  const declared = Number(c.req.header('content-length'));
  // A declared length is kept by the HTTP parser; anything else is counted while it comes in.
  if (c.req.header('content-length') !== undefined && c.req.header('transfer-encoding') === undefined) {
    if (declared > limit) throw tooLarge(limit);
    return c.req.text();
  }
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of c.req.raw.body ?? []) {
    bytes += (chunk as Uint8Array).byteLength;
    if (bytes > limit) throw tooLarge(limit);
    text += decoder.decode(chunk as Uint8Array, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError('payload_too_large', `The body may have at most ${limit} bytes. Send fewer events at once.`);
}
