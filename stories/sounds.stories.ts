import { html } from 'lit';
import { recordings } from './workshop/recordings.ts';
import './workshop/spoken-log.ts';

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
