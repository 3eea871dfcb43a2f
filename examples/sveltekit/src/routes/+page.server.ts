import { renderToString } from '@sitrep/elements/server';
import type { PageServerLoad } from './$types';

export const load: PageServerLoad = async ({ url }) => {
  const session = url.searchParams.get('session') ?? 'demo';
  const src = `${process.env['GATEWAY'] ?? 'http://127.0.0.1:4747'}/v1/sessions/${encodeURIComponent(session)}`;
  const answer = await fetch(src);
  const snapshot = answer.ok ? await answer.json() : undefined;
  const markup = `<progress-provider src="${src}"><status-pill summary></status-pill><progress-card open></progress-card></progress-provider>`;
  return { html: await renderToString(markup, { sessions: { [src]: snapshot } }) };
};
