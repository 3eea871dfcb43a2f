import { html } from 'lit';
import { expect, userEvent, waitFor } from 'storybook/test';
import { recordings } from './workshop/recordings.ts';
import './workshop/replay-desk.ts';
import { within } from './workshop/within.ts';

/** Streams as agents sent them, played at any speed. `position` frames are there at first. */
export default {
  title: 'Workshop/Replay',
  argTypes: {
    recording: { control: 'select', options: Object.keys(recordings) },
    speed: { control: { type: 'number', min: 0.01 } },
    position: { control: { type: 'number', min: 0 } },
  },
  render: ({ recording, speed, position }: { recording: string; speed: number; position: number }) =>
    html`<replay-desk recording=${recording} speed=${speed} position=${position}></replay-desk>`,
};

const story = (recording: string, position: number, speed = 0.1) => ({ args: { recording, position, speed } });

export const Release = story('release', 9, 1);
export const CodexTurn = story('codex', 12);
export const CodexApproval = story('codex-approval', 14);
export const CodexAgent = story('codex-agent', 12);
export const CodexExec = story('codex-exec', 9);
export const OpenCodeTurn = story('opencode', 40);
export const OpenCodeAsk = story('opencode-ask', 14);
export const OpenCodeStopped = story('opencode-abort', 20);

interface Canvas {
  readonly canvasElement: HTMLElement;
}

/** One step on and one back: what was undone is not shown. */
export const StepByStep = {
  ...story('release', 15, 1),
  async play({ canvasElement }: Canvas) {
    const said = () => within(canvasElement, 'replay-desk', 'output').textContent;
    const card = within(canvasElement, 'replay-desk', 'progress-card');
    const counts = () => card.shadowRoot?.querySelector('[part="counts"]')?.textContent;
    await waitFor(() => expect(counts()).toBe('0 of 3 completed'));
    await userEvent.click(within(canvasElement, 'replay-desk', '[data-do="step"]'));
    await userEvent.click(within(canvasElement, 'replay-desk', '[data-do="step"]'));
    await waitFor(() => expect(said()).toBe('17 of 24'));
    await waitFor(() => expect(counts()).toBe('1 of 3 completed'));
    await userEvent.click(within(canvasElement, 'replay-desk', '[data-do="back"]'));
    await userEvent.click(within(canvasElement, 'replay-desk', '[data-do="back"]'));
    await waitFor(() => expect(counts()).toBe('0 of 3 completed'));
  },
};
