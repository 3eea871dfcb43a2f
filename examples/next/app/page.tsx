import type { Snapshot } from '@sitrep/schema';
import { renderToString } from '@sitrep/elements/server';

export const dynamic = 'force-dynamic';

const gateway = process.env['GATEWAY'] ?? 'http://127.0.0.1:4747';

export default async function Page({ searchParams }: { readonly searchParams: Promise<{ readonly session?: string }> }) {
  const { session = 'demo' } = await searchParams;
  const src = `${gateway}/v1/sessions/${encodeURIComponent(session)}`;
  const answer = await fetch(src, { cache: 'no-store' });
  const snapshot = answer.ok ? ((await answer.json()) as Snapshot) : undefined;
  const markup = `<progress-provider src="${src}"><status-pill summary></status-pill><progress-card open></progress-card></progress-provider>`;
  const html = await renderToString(markup, { sessions: { [src]: snapshot } });
  return (
    <main>
      <h1>Sitrep with Next</h1>
      {/* The shadow roots are no part of what React would find there. */}
      <div suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />
    </main>
  );
}
