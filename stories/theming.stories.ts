import { html } from 'lit';
import './theming/theming-page.ts';

/** Tokens, themes, parts and states. */
export default { title: 'Theming/Overview', tags: ['!autodocs', 'page'] };

export const Overview = { render: () => html`<theming-page></theming-page>` };
