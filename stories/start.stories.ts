import { html } from 'lit';
import './workshop/start-page.ts';

/** What there is, each one click away. */
export default { title: 'Start', tags: ['!autodocs', 'page'] };

export const Start = { render: () => html`<start-page></start-page>` };
