import type { Context } from 'hono';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { GatewayEnv } from './types.ts';

/** Reads a JSON body within the limit. Throws a GatewayError: wrong content type, too large, or no JSON. */
export async function readJson(c: Context<GatewayEnv>, limit: number): Promise<unknown> {
  const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new GatewayError('unsupported_media_type', "The body must be JSON: send the header 'content-type: application/json'.");
  }
  const text = await readText(c, limit);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new GatewayError('bad_json', 'The body is not JSON. Send one event, or an array of events.');
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
