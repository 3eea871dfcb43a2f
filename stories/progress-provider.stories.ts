import { html } from 'lit';
import { createReplaySource } from '@sitrep/client';
import { recording } from './fixtures/recording.ts';
import { card, now, operation, plan, run, session, still } from './fixtures/records.ts';

export default { title: 'Progress provider', component: 'progress-provider' };

/** A recorded run plays at its own pace; each element inside shows the same session. */
export const Replay = {
  render: () =>
    html`<progress-provider .source=${createReplaySource({ ndjson: recording })}>
      <p><status-pill summary></status-pill></p>
      <progress-card open></progress-card>
    </progress-provider>`,
};

/** The same, as fast as it can be read: the end of the run. */
export const ReplayEnd = {
  render: () =>
    html`<progress-provider .source=${createReplaySource({ ndjson: recording, speed: Infinity })}>
      <progress-card></progress-card>
    </progress-provider>`,
};

export const OneSessionManyViews = {
  render: () =>
    html`<progress-provider
      .store=${still(
        session({
          card: card({ plan }, { run: 'turn-1', updatedAt: now }),
          runs: [run()],
          operations: [operation({ id: 'build', run: 'turn-1', current: 42, total: 100, unit: 'files' })],
        }),
      )}
    >
      <p><status-pill summary></status-pill> <status-pill operation-id="build" compact></status-pill></p>
      <tool-progress operation-id="build"></tool-progress><br />
      <progress-card open></progress-card>
    </progress-provider>`,
};
