import { html } from 'lit';
import { expect, waitFor } from 'storybook/test';
import { dialects } from '@sitrep/schema/dialect';
import mcp from '@sitrep/schema/fixtures/mcp/total-unknown.json' with { type: 'json' };
import codex from '@sitrep/schema/fixtures/codex/recorded-turn.json' with { type: 'json' };
import acp from '@sitrep/schema/fixtures/acp/plan.json' with { type: 'json' };
import agUi from '@sitrep/schema/fixtures/ag-ui/subagents.json' with { type: 'json' };
import { OWN } from './workshop/play-ground.ts';
import { within } from './workshop/within.ts';
import { recording } from './fixtures/recording.ts';

/** Paste what your agent sends and see it drawn, with what it means and what is wrong with it. */
export default {
  title: 'Workshop/Playground',
  argTypes: { dialect: { control: 'select', options: [OWN, ...Object.keys(dialects)] }, text: { control: 'text' } },
  render: ({ dialect, text }: { dialect: string; text: string }) => html`<play-ground dialect=${dialect} .text=${text}></play-ground>`,
};

const lines = (frames: readonly unknown[]): string => frames.map((frame) => JSON.stringify(frame)).join('\n');

export const Ours = { args: { dialect: OWN, text: recording } };
export const Empty = { args: { dialect: OWN, text: '' } };
export const Mcp = { args: { dialect: 'mcp', text: lines(mcp.input) } };
export const Codex = { args: { dialect: 'codex', text: lines(codex.input) } };
export const Acp = { args: { dialect: 'acp', text: lines(acp.input) } };
export const AgUi = { args: { dialect: 'ag-ui', text: lines(agUi.input) } };
export const WhatIsWrong = {
  args: {
    dialect: OWN,
    text: [
      '{"type":"operation","session":"s","id":"build","at":1767225600000,"state":"running","title":"Build","current":4,"total":10}',
      '{"type":"operation","session":"s","id":"build","at":1767225601000,"state":"finished"}',
      '{"type":"operation","session":"s","id":"build","at":',
      'data: {"type":"card","session":"s","at":1767225602000,"revision":1,"card":{"plan":[{"step":"Build","status":"in_progress"}]}}',
    ].join('\n'),
  },
};

/** What is typed is drawn at once. */
export const Typed = {
  args: { dialect: OWN, text: '' },
  async play({ canvasElement }: { readonly canvasElement: HTMLElement }) {
    const box = within<HTMLTextAreaElement>(canvasElement, 'play-ground', 'textarea');
    box.value = '{"type":"operation","session":"s","id":1,"at":1767225600000,"state":"running","title":"Build","current":1,"total":4}';
    box.dispatchEvent(new InputEvent('input'));
    await waitFor(() => expect(within(canvasElement, 'play-ground', 'output').textContent).toBe('1 events, 0 problems'));
    const pill = within(canvasElement, 'play-ground', 'status-pill');
    await waitFor(() => expect(pill.shadowRoot?.textContent).toContain('Build 25%'));
  },
};
