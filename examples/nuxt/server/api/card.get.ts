import type { Snapshot } from '@sitrep/schema';
import { renderToString } from '@sitrep/elements/server';

export default defineEventHandler(async (event) => {
  const { session } = getQuery(event);
  const src = `${useRuntimeConfig(event).gateway}/v1/sessions/${encodeURIComponent(String(session))}`;
  const answer = await fetch(src);
  const snapshot = answer.ok ? ((await answer.json()) as Snapshot) : undefined;
  const markup = `<progress-provider src="${src}"><status-pill summary></status-pill><progress-card open></progress-card></progress-provider>`;
  return renderToString(markup, { sessions: { [src]: snapshot } });
});
