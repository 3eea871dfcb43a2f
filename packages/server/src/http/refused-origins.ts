import type { Log } from '../gateway/log.ts';

/** Origins that are told of; a stranger may send any number of them. */
const MOST = 20;
/** What a person may take over as it is; a browser sends no other form for a page of a server. */
const PLAIN = /^https?:\/\/[\w.[\]:-]{1,200}$/;

/** Tells of each origin that was refused, once: the page sees of it nothing but a failed request. Bounded. */
export function refusedOrigins(log: Log): (origin: string) => void {
  const told = new Set<string>();
  return (origin) => {
    if (told.size >= MOST || !PLAIN.test(origin) || told.has(origin)) return;
    told.add(origin);
    const more = told.size === MOST ? ' Refusals of further origins are not told.' : '';
    log(`Refused pages of ${origin}. If they may read and write here: --allow-origin ${origin} (allowedOrigins in a program).${more}`, {
      event: 'origin_refused',
      origin,
    });
  };
}
