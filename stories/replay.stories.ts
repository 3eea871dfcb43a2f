import { html } from 'lit';
import { expect, userEvent, waitFor } from 'storybook/test';
import { recordings } from './workshop/recordings.ts';
import './workshop/replay-desk.ts';
import { within } from './workshop/within.ts';

/** Streams as agents sent them, played at any speed: play, pause, go to any frame, begin again. `position` frames are there at first. */
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

const out = (canvas: HTMLElement): string => within(canvas, 'replay-desk', 'output').textContent.trim();
const press = (canvas: HTMLElement, what: string) => userEvent.click(within(canvas, 'replay-desk', `[data-do="${what}"]`));

/** A speed that is chosen holds at once, and the end, a pause and a new beginning are what they say. */
export const AnySpeed = {
  ...story('release', 0, 0.05),
  tags: ['!autodocs'],
  async play({ canvasElement: canvas }: Canvas) {
    const desk = canvas.querySelector('replay-desk')!;
    const plays = () => within(canvas, 'replay-desk', '[data-do="play"]').textContent.trim() === 'Pause';
    await press(canvas, 'play');
    await waitFor(() => expect(plays()).toBe(true));
    // At a twentieth of the speed each pause takes seconds; one that has begun is cut short.
    desk.speed = 64;
    await waitFor(() => expect(out(canvas)).toBe('24 of 24'));
    await waitFor(() => expect(plays()).toBe(false));
    desk.speed = 0.05;
    await press(canvas, 'restart');
    await waitFor(() => expect(plays()).toBe(true));
    await press(canvas, 'play');
    await waitFor(() => expect(plays()).toBe(false));
    await expect(Number.parseInt(out(canvas), 10)).toBeLessThan(24);
    // The arguments of the story are those of the desk, whatever was pressed in between.
    desk.position = 20;
    await waitFor(() => expect(out(canvas)).toBe('20 of 24'));
    const slider = within<HTMLInputElement>(canvas, 'replay-desk', '[type="range"]');
    await waitFor(() => expect(slider.value).toBe('20'));
    slider.value = '3';
    slider.dispatchEvent(new Event('input'));
    await waitFor(() => expect(out(canvas)).toBe('3 of 24'));
  },
};

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
