import { expect, fixture, html } from '@open-wc/testing';
import * as classes from '@sitrep/elements';
import '@sitrep/elements/define/all';
import { card, operationRecord, runRecord } from './samples.ts';
import { drawn, type Element } from './support.ts';

interface Manifest {
  readonly modules: readonly {
    readonly declarations?: readonly {
      readonly tagName?: string;
      readonly attributes?: readonly { readonly name: string }[];
      readonly members?: readonly {
        readonly kind: string;
        readonly name: string;
        readonly readonly?: boolean;
        readonly type?: { readonly text: string };
      }[];
    }[];
  }[];
}

/** A value of each property that makes a difference. */
const VALUES: Readonly<Record<string, unknown>> = {
  operation: operationRecord,
  run: runRecord,
  card,
  operations: [operationRecord],
  runs: [runRecord],
  connection: { state: 'live', since: 0 },
  nested: [{ operation: operationRecord, nested: [] }],
  usage: { label: '1 tok' },
  src: 'data:application/json,{}',
  source: { open: async () => {} },
  store: null,
  open: true,
  summary: true,
  compact: true,
  state: 'failed',
  heading: 'Heading',
  noteImages: ['img.example.org'],
  placement: 'composer',
  for: 'main',
  hideDelay: 1,
  openSession: () => undefined,
  rail: 'rail',
  railFrom: '50rem',
  composer: 'composer',
  shell: 'shell',
  keepOpen: true,
  actions: 'cancel',
  milestones: true,
  operationId: 'x',
  provider: 'p',
  session: 'demo',
  sessions: ['demo'],
  base: '/v1/sessions',
  href: '/chats/{session}',
  editable: true,
  hotkey: 'F9',
  stay: 3,
  banner: 'inline',
  attempts: 3,
  showDelay: 5,
  minVisible: 5,
  showOperations: 'live',
  history: [{ revision: 1, card }],
  whole: 5,
  archive: { window: undefined, at: () => undefined },
  runTitle: () => 'A run',
  filter: 'failed',
  grouping: 'none',
  limit: 5,
  expanded: true,
  follow: true,
  plain: true,
};

async function declarations() {
  const response = await fetch('/packages/elements/custom-elements.json');
  const manifest = (await response.json()) as Manifest;
  return manifest.modules.flatMap((module) => module.declarations ?? []).filter((one) => one.tagName);
}

describe('package', () => {
  it('updates on every property of its manifest', async () => {
    const all = await declarations();
    expect(all.map((one) => one.tagName).sort()).to.deep.equal([
      'progress-board',
      'progress-card',
      'progress-list',
      'progress-peek',
      'progress-provider',
      'progress-surface',
      'progress-timeline',
      'progress-toasts',
      'progress-widget',
      'status-pill',
      'tool-progress',
    ]);
    for (const { tagName, members = [] } of all) {
      const fields = members.filter((member) => member.kind === 'field' && !member.readonly && member.name !== 'session');
      for (const { name } of fields) {
        expect(Object.hasOwn(VALUES, name), `${tagName}.${name} has a sample`).to.equal(true);
        const element = document.createElement(tagName!) as Element & { requestUpdate(...args: unknown[]): void; isUpdatePending: boolean };
        const box = await fixture<HTMLElement>(html`<div></div>`);
        box.append(element);
        await drawn(element);
        element[name] = VALUES[name] ?? undefined;
        if (VALUES[name] !== null) expect(element.isUpdatePending, `${tagName}.${name}`).to.equal(true);
        await drawn(element);
        element.remove();
      }
    }
  });

  it('has switches that a framework can tell from texts, and takes their attributes as properties', async () => {
    for (const { tagName, members = [] } of await declarations()) {
      const element = document.createElement(tagName!) as Element;
      for (const { name, type } of members)
        if (type?.text === 'boolean') expect(typeof element[name], `${tagName}.${name}`).to.equal('boolean');
      if (!members.some(({ name }) => name === 'open')) continue;
      Object.assign(element, { card, operation: operationRecord });
      document.body.append(element);
      for (const [given, shown] of [
        ['', 'true'],
        ['false', 'false'],
      ]) {
        element['open'] = given;
        await drawn(element);
        const drawing = element.shadowRoot!.querySelector<Element>('progress-card') ?? element;
        if (drawing !== element) drawing['card'] = card;
        await drawn(drawing);
        expect(drawing.shadowRoot!.querySelector('[part=toggle]')!.getAttribute('aria-expanded'), `${tagName} ${given}`).to.equal(shown);
      }
      element.remove();
    }
  });

  it('has elements that take the place a grid or a flexible row has for them, however little that is', async () => {
    for (const { tagName } of await declarations()) {
      for (const style of ['display: grid', 'display: flex']) {
        const box = await fixture<HTMLElement>(html`<div></div>`);
        box.style.cssText = `inline-size: 200px; ${style}`;
        const element = document.createElement(tagName!) as Element;
        Object.assign(element, { operation: operationRecord, card, operations: [operationRecord], runs: [runRecord] });
        box.append(element);
        await drawn(element);
        expect(element.getBoundingClientRect().width, `${tagName}, ${style}`).to.be.at.most(200);
        box.remove();
      }
    }
  });

  it('does no harm when it is defined twice, and says so where the tag is something else', async () => {
    const { defineOnce } = await import('../../../packages/elements/dist/display/define-once.js');
    const warnings: string[] = [];
    const warn = console.warn;
    console.warn = (...parts: unknown[]) => void warnings.push(parts.join(' '));
    try {
      defineOnce('status-pill', classes.StatusPill);
      // As after a hot reload: the same version, evaluated anew.
      defineOnce('status-pill', class extends HTMLElement {});
      expect(warnings).to.deep.equal([]);
      customElements.define('progress-elsewhere', class extends HTMLElement {});
      defineOnce('progress-elsewhere', class extends HTMLElement {});
      defineOnce('progress-elsewhere', class extends HTMLElement {});
      expect(warnings.length).to.equal(1);
      expect(warnings[0]).to.contain('<progress-elsewhere>');
      expect(customElements.get('status-pill')).to.equal(classes.StatusPill);
    } finally {
      console.warn = warn;
    }
  });
});
