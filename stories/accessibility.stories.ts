import { html } from 'lit';
import './accessibility/access-page.ts';

/** Keys, words and what is measured, element by element. */
export default { title: 'Accessibility/Overview', tags: ['!autodocs', 'page'] };

export const Overview = { render: () => html`<access-page></access-page>` };
