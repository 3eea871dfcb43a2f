import { html } from 'lit';
import { expect, waitFor } from 'storybook/test';
import { dialects } from '@sitrep/schema/dialect';
import mcp from '@sitrep/schema/fixtures/mcp/total-unknown.json' with { type: 'json' };
import codex from '@sitrep/schema/fixtures/codex/recorded-turn.json' with { type: 'json' };
import acp from '@sitrep/schema/fixtures/acp/plan.json' with { type: 'json' };
import agUi from '@sitrep/schema/fixtures/ag-ui/subagents.json' with { type: 'json' };
import './workshop/play-ground.ts';
import { exampleOf, exemplified } from './workshop/examples.ts';
import { FOUND, OWN } from './workshop/reading.ts';
import { within } from './workshop/within.ts';
import { recording } from './fixtures/recording.ts';

/** Paste what your agent sends and see it drawn, with what it means and what is wrong with it. */
export default {
  title: 'Workshop/Playground',
  argTypes: {
    dialect: { control: 'select', options: [FOUND, OWN, ...Object.keys(dialects)] },
    text: { control: 'text' },
    dated: { control: 'boolean' },
  },
  render: ({ dialect, text, dated }: { dialect: string; text: string; dated?: boolean }) =>
    html`<play-ground dialect=${dialect} .text=${text} ?dated=${dated}></play-ground>`,
};

const lines = (frames: readonly unknown[]): string => frames.map((frame) => JSON.stringify(frame)).join('\n');

export const Ours = { args: { dialect: OWN, text: recording } };
export const Empty = { args: { dialect: FOUND, text: '' } };
export const FoundByItself = { args: { dialect: FOUND, text: lines(codex.input) } };
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
    await waitFor(() => expect(within(canvasElement, 'play-ground', 'output').textContent).toBe('1 event, 0 problems'));
    const pill = within(canvasElement, 'play-ground', 'status-pill');
    await waitFor(() => expect(pill.shadowRoot?.textContent).toContain('Build 25%'));
  },
};

const said = (canvas: HTMLElement): string => within(canvas, 'play-ground', 'output').textContent.trim();
const pasted = (canvas: HTMLElement, text: string): void => {
  const box = within<HTMLTextAreaElement>(canvas, 'play-ground', 'textarea');
  box.value = text;
  box.dispatchEvent(new InputEvent('input'));
};

/** Every dialect from which something is read, one after the other, each found by itself or named. */
export const EveryDialect = {
  tags: ['!autodocs'],
  args: { dialect: FOUND, text: '' },
  async play({ canvasElement: canvas }: { readonly canvasElement: HTMLElement }) {
    const ground = canvas.querySelector('play-ground')!;
    for (const name of exemplified) {
      ground.dialect = name;
      pasted(canvas, (await exampleOf(name)) ?? '');
      await waitFor(() => expect(`${name}: ${said(canvas)}`).toMatch(/: [1-9]\d* events?, 0 problems$/));
    }
    ground.dialect = FOUND;
    pasted(canvas, lines(codex.input));
    await waitFor(() => expect(said(canvas)).toMatch(/, read as codex$/));
  },
};

/** What is cut off in the middle, or is no JSON at all, is told with its line; the rest is drawn. */
export const HalfALine = {
  tags: ['!autodocs'],
  args: { dialect: FOUND, text: '' },
  async play({ canvasElement: canvas }: { readonly canvasElement: HTMLElement }) {
    const whole = recording.split('\n');
    pasted(canvas, `no JSON\n${whole.slice(0, 4).join('\n')}\n${whole[4]!.slice(0, 30)}`);
    await waitFor(() => expect(said(canvas)).toBe('4 events, 2 problems, read as sitrep'));
    const told = [...canvas.querySelector('play-ground')!.shadowRoot!.querySelectorAll('li')].map((one) => one.textContent);
    await expect(told.map((one) => one.slice(0, 25))).toEqual(['Line 1: This is not JSON:', 'Line 6: This is not JSON:']);
  },
};

/** A megabyte: all of it is read, and as much of it is listed as can be looked at. */
export const AMegabyte = {
  tags: ['!autodocs'],
  args: { dialect: FOUND, text: '' },
  async play({ canvasElement: canvas }: { readonly canvasElement: HTMLElement }) {
    const many = Array.from({ length: 8000 }, (_none, index) =>
      JSON.stringify({
        type: 'operation',
        session: 's',
        id: `op-${index % 40}`,
        at: 1767225600000 + index,
        state: 'running',
        title: `Work of many, number ${index % 40}`,
        current: index,
        total: 8000,
      }),
    ).join('\n');
    await expect(many.length).toBeGreaterThan(1_000_000);
    pasted(canvas, many);
    await waitFor(() => expect(said(canvas)).toBe('8,000 events, 0 problems, read as sitrep'), { timeout: 60_000 });
    await expect(canvas.querySelector('play-ground')!.shadowRoot!.textContent).toContain('And 7,900 events more.');
  },
};
