import { html } from 'lit';
import { ago, operation, run } from './fixtures/records.ts';
import { about } from './workshop/about.ts';

export default {
  title: 'Status pill',
  component: 'status-pill',
  parameters: {
    ...about('status-pill', '<status-pill state="running"></status-pill>\n<status-pill src="/v1/sessions/demo" summary></status-pill>'),
  },
};

const states = ['pending', 'running', 'waiting', 'blocked', 'paused', 'completed', 'failed', 'cancelled', 'denied', 'interrupted'] as const;
const derived = ['connecting', 'quiet', 'stale', 'reconnecting', 'lost'] as const;
const sums = ['working', 'waiting', 'needs-you', 'idle', 'done', 'failed'] as const;
const row = (content: unknown) => html`<p style="display:flex;flex-wrap:wrap;gap:.5rem;margin:0 0 .75rem">${content}</p>`;
const pills = (names: readonly string[]) => row(names.map((state) => html`<status-pill state=${state}></status-pill>`));

export const Every = { tags: ['picture'], render: () => html`${pills(states)}${pills(derived)}${pills(sums)}` };
export const Running = { render: () => html`<status-pill .operation=${operation()}></status-pill>` };
export const Quiet = { render: () => html`<status-pill .operation=${operation({ updatedAt: ago(90) })}></status-pill>` };
export const Summary = {
  tags: ['picture'],
  render: () => html`<status-pill summary .operation=${operation({ current: 42, total: 100, unit: 'files' })}></status-pill>`,
};
export const SummaryOfACount = {
  render: () =>
    html`<status-pill
      summary
      .operation=${operation({ activeTitle: 'Downloading', current: 8 * 1024 * 1024, unit: 'bytes' })}
    ></status-pill>`,
};
export const Compact = {
  tags: ['picture'],
  render: () => row([...states, ...derived].map((state) => html`<status-pill compact state=${state}></status-pill>`)),
};
export const Narrow = {
  render: () =>
    html`<div style="inline-size:min(240px,100%)">
      <status-pill
        summary
        .operation=${operation({ activeTitle: 'Regenerating every fixture of the integration suite', fraction: 0.42 })}
      ></status-pill>
    </div>`,
};
export const RightToLeft = {
  render: () =>
    html`<div dir="rtl" lang="ar">
      <status-pill summary .operation=${operation({ activeTitle: 'بناء المشروع', current: 42, total: 100 })}></status-pill>
    </div>`,
};
export const Dark = {
  render: () => html`<div style="color-scheme:dark;background:#0f1114;padding:1rem">${pills(states)}${pills(derived)}</div>`,
};
export const OfARun = {
  tags: ['picture'],
  render: () =>
    row(
      (['running', 'completed', 'failed', 'cancelled', 'interrupted'] as const).map(
        (state) => html`<status-pill .run=${run({ state })}></status-pill>`,
      ),
    ),
};
export const CompactWhereNarrow = {
  render: () =>
    html`<div style="inline-size:min(20rem,100%)"><status-pill compact="auto" state="running"></status-pill></div>
      <div style="inline-size:4rem"><status-pill compact="auto" state="running"></status-pill></div>`,
};
export const Nothing = { render: () => html`<p>Nothing to say: <status-pill></status-pill></p>` };
