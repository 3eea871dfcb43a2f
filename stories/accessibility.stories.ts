import { html } from 'lit';
import './accessibility/access-page.ts';

/** Keys, words and what is measured, element by element. */
export default { title: 'Accessibility', tags: ['!autodocs'] };

export const Page = { render: () => html`<access-page></access-page>` };
