import { html, nothing } from 'lit';
import type { SessionView } from '@sitrep/client';
import '@sitrep/elements/define/progress-widget';
import { team } from './fixtures/board.ts';
import { BASE, serve } from './fixtures/gateway.ts';
import { now, session, still } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Progress widget',
  component: 'progress-widget',
  parameters: { ...about('progress-widget', '<progress-widget session="release" href="/chats/{session}"></progress-widget>') },
};

serve({ ...team, secret: 'denied', down: 'unreachable', slow: 'loading' });

interface Parts {
  readonly session?: string;
  readonly open?: boolean;
  readonly editable?: boolean;
  readonly href?: string;
}
const one = (parts: Parts) => ({
  args: parts,
  render: ({ session: key, open, editable, href }: Parts) =>
    html`<progress-widget
      base=${BASE}
      session=${key ?? nothing}
      ?open=${open}
      ?editable=${editable}
      href=${href ?? nothing}
    ></progress-widget>`,
});

export const Working = { tags: ['picture'], ...one({ session: 'agent:main:login', href: '#/chats/{session}' }) };
export const Open = one({ session: 'agent:main:login', open: true, href: '#/chats/{session}' });
export const NeedsYou = { tags: ['picture'], ...one({ session: 'agent:main:release', href: '#/chats/{session}' }) };
export const Failed = { tags: ['picture'], ...one({ session: 'agent:main:migrate', href: '#/chats/{session}' }) };
export const Done = one({ session: 'agent:main:tests', href: '#/chats/{session}' });
export const Editable = one({ session: 'agent:main:login', editable: true, href: '#/chats/{session}' });
export const Empty = one({ session: 'agent:main:fresh', href: '#/chats/{session}' });
export const Loading = one({ session: 'slow' });
export const AccessDenied = { tags: ['picture'], ...one({ session: 'secret', editable: true }) };
export const Unavailable = one({ session: 'down' });
export const NoSuchSession = one({ session: 'nobody' });

/** Without a name it follows the provider around it. */
export const FollowsItsProvider = {
  render: () => html`<progress-provider .store=${still(team['agent:main:login']!)}><progress-widget></progress-widget></progress-provider>`,
};
const connection = (state: SessionView['connection']['state']) => ({
  render: () =>
    html`<progress-provider .store=${still({ ...team['agent:main:login']!, connection: { state, since: now - 20_000 } })}
      ><progress-widget></progress-widget
    ></progress-provider>`,
});
export const Reconnecting = connection('reconnecting');
export const ConnectionLost = connection('lost');
export const LongTitle = {
  render: () =>
    html`<progress-provider .store=${still(session({ ...team['agent:main:login']!, title: 'Find out why '.repeat(20) }))}
      ><progress-widget editable></progress-widget
    ></progress-provider>`,
};
const page = new CSSStyleSheet();
page.replaceSync('.narrow{inline-size:min(240px,100%)}');
document.adoptedStyleSheets.push(page);
export const Narrow = {
  render: () => html`<div class="narrow">${Editable.render(Editable.args)}</div>`,
};
export const RightToLeft = {
  render: () => html`<div dir="rtl" lang="ar">${Editable.render(Editable.args)}</div>`,
};
