import { request } from 'node:http';
import type { RequestOptions } from 'node:http';
import { gatewayHeaders } from '../gateway-headers.ts';

/**
 * Posts one value as JSON and answers in words what became of it. Never rejects, and is over at the deadline. With the
 * platform's own HTTP: loading `fetch` would take longer than the request.
 */
export async function postQuietly(address: string, value: unknown, deadline: number): Promise<string> {
  if (!URL.canParse(address)) return `the gateway's address must be a URL such as http://127.0.0.1:4747, not "${address}".`;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return `the gateway's address must begin with http:// or https://, not "${url.protocol}".`;
  const send = url.protocol === 'https:' ? (await import('node:https')).request : request;
  const body = JSON.stringify(value);
  const token = gatewayHeaders();
  const options: RequestOptions = {
    method: 'POST',
    agent: false,
    headers: {
      ...(typeof token === 'function' ? token() : token),
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    },
  };
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(`the gateway at ${url.origin} did not answer in time.`), Math.max(0, deadline - Date.now()));
    const outgoing = send(url, options, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text = (text + part).slice(0, 2_000)));
      response.on('end', () => end(`${response.statusCode} ${text.trim()}`));
      response.on('error', (error) => end(error.message));
    });
    const end = (message: string): void => {
      clearTimeout(timer);
      outgoing.destroy();
      resolve(message);
    };
    outgoing.on('error', (error) => end(`the gateway at ${url.origin} cannot be reached: ${error.message}`));
    outgoing.end(body);
  });
}
