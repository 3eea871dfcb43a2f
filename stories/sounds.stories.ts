import { html } from 'lit';
import { expect, userEvent, waitFor } from 'storybook/test';
import { recordings } from './workshop/recordings.ts';
import './workshop/spoken-log.ts';
import { within } from './workshop/within.ts';

/** What it sounds like: boundaries are said once, amounts and times never. */
export default {
  title: 'Workshop/What it sounds like',
  argTypes: {
    recording: { control: 'select', options: Object.keys(recordings) },
    speed: { control: { type: 'number', min: 0.01 } },
    milestones: { control: 'boolean' },
  },
  render: ({ recording, speed, milestones }: { recording: string; speed: number; milestones: boolean }) =>
    html`<spoken-log recording=${recording} speed=${speed} ?milestones=${milestones}></spoken-log>`,
};

export const Release = { args: { recording: 'release', speed: 1, milestones: false } };
export const WithMilestones = { args: { recording: 'release', speed: 1, milestones: true } };
export const NeedsAnAnswer = { args: { recording: 'opencode-ask', speed: 0.2, milestones: false } };

/** Twenty-four frames, a run that fails: five sentences at most, the failure at once. */
export const Heard = {
  args: { recording: 'release', speed: 20, milestones: false },
  async play({ canvasElement }: { readonly canvasElement: HTMLElement }) {
    await userEvent.click(within(canvasElement, 'spoken-log', 'button'));
    const said = () =>
      [...(canvasElement.querySelector('spoken-log')?.shadowRoot?.querySelectorAll('ol li') ?? [])].map((one) => one.textContent.trim());
    await waitFor(() => expect(said().at(-1)).toMatch(/at once: .*Run failed\.$/), { timeout: 20_000 });
    expect(said().length).toBeLessThanOrEqual(5);
  },
};
