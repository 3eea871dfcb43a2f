/** A response with another body and everything else as it was, in its clones too. */
export function copyResponse(from: Response, body: ReadableStream<Uint8Array> | null): Response {
  const { status, statusText, headers, url, redirected, type } = from;
  return asFrom(new Response(body, { status, statusText, headers }), { url, redirected, type });
}

function asFrom(response: Response, known: Pick<Response, 'url' | 'redirected' | 'type'>): Response {
  // A constructor cannot set these; own properties stand before the accessors of the prototype.
  for (const [name, value] of Object.entries(known)) Object.defineProperty(response, name, { value, configurable: true });
  const clone = response.clone.bind(response);
  Object.defineProperty(response, 'clone', { value: () => asFrom(clone(), known), configurable: true });
  return response;
}
