import { html } from 'lit';
import type { SessionView } from '@sitrep/client';
import { createReplaySource } from '@sitrep/client';
import { recording } from './fixtures/recording.ts';
import { ago, card, now, operation, plan, run, session, still } from './fixtures/records.ts';
import { drawn, elementPage } from './workshop/element.ts';

export default {
  title: 'Progress provider',
  ...elementPage('progress-provider', {
    usage:
      '<progress-provider src="/v1/sessions/demo">\n  <status-pill></status-pill>\n  <progress-card></progress-card>\n</progress-provider>',
    draw: ({ shown, ...args }) =>
      html`<br />${drawn('progress-provider', { ...args, store: still(shown as SessionView) }, html`<progress-card open></progress-card>`)}`,
    records: { shown: 'The session, as a store shows it.' },
    inner: '<progress-card open></progress-card>',
  }),
};

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

const freshness = (state: SessionView['connection']['state'], seconds: number, banner?: 'inline' | 'none') => ({
  args: {
    banner,
    shown: session({ card: card({ plan }, { run: 'turn-1' }), runs: [run()], connection: { state, since: ago(seconds) } }),
  },
});
export const Live = { tags: ['edited'], ...freshness('live', 600) };
export const Connecting = freshness('connecting', 12);
export const Reconnecting = { tags: ['picture'], ...freshness('reconnecting', 12) };
export const ReconnectingForLong = freshness('reconnecting', 190);
export const ConnectionLost = { tags: ['picture'], ...freshness('lost', 75) };
export const NothingHeard = freshness('quiet', 40);
export const BackAgain = freshness('resumed', 1);
export const Ended = freshness('ended', 30);
export const WithoutBanner = freshness('lost', 75, 'none');
export const BannerInline = { tags: ['picture'], ...freshness('lost', 75, 'inline') };

/** What stands in the slot is shown in place of the banner, at the same times. */
export const OwnBanner = {
  render: () =>
    html`<progress-provider .store=${still(session({ runs: [run()], connection: { state: 'lost', since: ago(75) } }))}
      ><p slot="banner">We have lost the agent. It goes on working.</p>
      <progress-card></progress-card
    ></progress-provider>`,
};

/** Named by id from elsewhere in the page. */
export const NamedFromOutside = {
  render: () =>
    html`<p>In the header: <status-pill provider="story-run" summary></status-pill></p>
      <progress-provider
        id="story-run"
        .store=${still(session({ runs: [run()], operations: [operation({ run: 'turn-1', current: 42, total: 100, unit: 'files' })] }))}
      ></progress-provider>
      <progress-card provider="story-run"></progress-card>`,
};
