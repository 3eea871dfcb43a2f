import { expect } from '@open-wc/testing';
import { setNotePolicy } from '@sitrep/elements';
import '@sitrep/elements/define/progress-card';
import { notePolicy, setNotePolicy as setHere } from '../../../packages/elements/src/markdown/note-policy.ts';
import { create, drawn, part, until } from './support.ts';

interface Policies {
  createPolicy(name: string, rules: object): { createHTML(html: string): unknown };
}

/** A page of its own: a policy that was put in place cannot be taken back. */
describe('note: in a page with Trusted Types', () => {
  const policies = (window as unknown as { trustedTypes?: Policies }).trustedTypes;
  const rules = { createHTML: (html: string) => html, createScriptURL: (address: string) => address };
  let violations: string[] = [];

  before(() => {
    const meta = document.createElement('meta');
    meta.httpEquiv = 'Content-Security-Policy';
    meta.content = "require-trusted-types-for 'script'; trusted-types lit-html notes; object-src 'none'; style-src 'self'";
    document.head.append(meta);
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) =>
      violations.push(`${violatedDirective}: ${sample}`),
    );
  });
  beforeEach(() => {
    violations = [];
  });

  it('lays out a whole note, with no violation', async () => {
    setNotePolicy(undefined);
    const native = 'setHTML' in Element.prototype;
    const card = create('progress-card');
    card['open'] = true;
    card['card'] = {
      markdown: '## Head\n\na **b** [c](https://example.org)\n\n| a |\n| - |\n| 1 |\n\n- [x] done\n\n<progress value=1 max=2>',
    };
    document.body.append(card);
    await drawn(card);
    await until(() => part(card, 'note')?.querySelector('.doc') !== null, 'the note is laid out');
    const note = part(card, 'note')!;
    // Without a wall of the browser's own, and with no policy for the other one, the text is all there is.
    if (native || !policies)
      for (const tag of ['h2', 'strong', 'a', 'table', 'li.task', 'progress']) expect(note.querySelector(tag), tag).not.to.equal(null);
    else expect(note.textContent).to.contain('**b**');
    if (native) expect(violations).to.deep.equal([]);
    card.remove();
  });

  it('cleans by a policy of the page where DOMPurify may make none', async () => {
    const policy = policies ? policies.createPolicy('notes', rules) : rules;
    setHere(policy);
    expect(notePolicy()).to.equal(policy);
    const { purify } = await import('../../../packages/elements/src/markdown/purify.ts');
    const box = document.createElement('div');
    purify('<p>a <strong>b</strong><progress value="1" max="2"></progress></p>', box);
    expect(box.querySelector('strong')!.textContent).to.equal('b');
    setHere(undefined);
  });
});
