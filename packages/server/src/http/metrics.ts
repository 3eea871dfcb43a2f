import type { GatewayCore } from '../gateway/gateway.ts';
import { COMMIT_BOUNDS } from '../gateway/stats.ts';
import { version } from '../version.ts';

/** The content type of the text below. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string | number>>;
type Sample = readonly [labels: Labels, value: number, suffix?: string];

/** What a gateway is doing, in the text format of Prometheus. */
export function metricsText(core: GatewayCore): string {
  const { stats } = core;
  const { outcomes, cards, slow } = stats;
  const by = (label: string, counts: Readonly<Record<string, number>>): Sample[] =>
    Object.entries(counts).map(([key, value]) => [{ [label]: key }, value]);
  const { user, system } = process.cpuUsage();
  return [
    metric('sitrep_info', 'gauge', 'The version that runs.', [[{ version: version(), store: core.options.store.kind }, 1]]),
    metric('sitrep_ready', 'gauge', '1 while it takes new readers.', [[{}, core.ready ? 1 : 0]]),
    metric('sitrep_streams', 'gauge', 'Open streams.', [[{}, core.clients]]),
    metric('sitrep_sessions_loaded', 'gauge', 'Sessions in memory.', [[{}, core.loadedSessions]]),
    metric('sitrep_pending_events', 'gauge', 'Events accepted and not yet stored.', [[{}, core.pendingEvents]]),
    metric('sitrep_events_total', 'counter', 'Entries that were posted, by what became of them.', by('outcome', outcomes)),
    metric('sitrep_card_writes_total', 'counter', 'Writes of cards, by what became of them.', by('outcome', cards)),
    metric('sitrep_commit_failures_total', 'counter', 'Commits the store failed at.', [[{}, stats.commitFailures]]),
    metric('sitrep_commit_seconds', 'histogram', 'Time of a commit.', commitSamples(stats)),
    ...healthMetrics(core),
    ...pushMetrics(core),
    ...sharedMetrics(core),
    metric('sitrep_slow_readers_total', 'counter', 'Readers that were too slow, by what they came to.', by('how', slow)),
    metric('sitrep_leases_total', 'counter', 'Leases of producers that have ended, by how.', by('how', stats.leases)),
    metric('sitrep_interrupted_total', 'counter', 'Operations and runs that ended with the lease of their producer.', [
      [{}, stats.interrupted],
    ]),
    metric('sitrep_requests_total', 'counter', 'Requests, by status.', by('status', Object.fromEntries(stats.statuses))),
    metric('sitrep_refusals_total', 'counter', 'Requests that were refused, by code.', by('code', Object.fromEntries(stats.refusals))),
    metric('process_cpu_seconds_total', 'counter', 'Processor time.', [[{}, (user + system) / 1e6]]),
    metric('process_resident_memory_bytes', 'gauge', 'Resident memory.', [[{}, process.memoryUsage.rss()]]),
    metric('process_start_time_seconds', 'gauge', 'When the process began.', [[{}, performance.timeOrigin / 1_000]]),
  ].join('');
}

/** What became of pushes, where there are any. */
function pushMetrics({ push }: GatewayCore): string[] {
  if (!push) return [];
  const { gone, ...outcomes } = push.stats;
  const samples = Object.entries(outcomes).map(([outcome, value]): Sample => [{ outcome }, value]);
  return [
    metric('sitrep_push_subscriptions', 'gauge', 'Browsers that want to be told by push.', [[{}, push.subscriptions.count ?? 0]]),
    metric('sitrep_push_messages_total', 'counter', 'Messages of push, by what became of them.', samples),
    metric('sitrep_push_gone_total', 'counter', 'Subscriptions that their push service no longer knew.', [[{}, gone]]),
  ];
}

/** How a store is, where it can say so. */
function healthMetrics({ options }: GatewayCore): string[] {
  const health = options.store.health?.();
  if (!health) return [];
  const states = ['ok', 'full', 'failed'].map((state): Sample => [{ state }, health.state === state ? 1 : 0]);
  return [
    metric('sitrep_store_state', 'gauge', '1 for how the store is.', states),
    metric('sitrep_store_quarantined_total', 'counter', 'Damaged store files that were moved aside.', [[{}, health.quarantined]]),
  ];
}

/** What there is to say of a store that several gateways share; nothing of any other. */
function sharedMetrics({ options, stats, polls }: GatewayCore): string[] {
  const { shared } = options.store;
  if (!shared) return [];
  const { reconnects, hints, resent, newEpochs } = shared.counts;
  return [
    metric('sitrep_store_up', 'gauge', '1 while the store can be reached.', [[{}, shared.up ? 1 : 0]]),
    metric('sitrep_store_reconnects_total', 'counter', 'Connections to the store made again after they were lost.', [[{}, reconnects]]),
    metric('sitrep_store_conflicts_total', 'counter', 'Writes made again because another gateway was first.', [[{}, stats.conflicts]]),
    metric('sitrep_store_resent_total', 'counter', 'Commits sent again because what became of them was unknown.', [[{}, resent]]),
    metric('sitrep_store_hints_total', 'counter', 'Hints that another gateway wrote.', [[{}, hints]]),
    metric('sitrep_store_polls_total', 'counter', 'Looks at where a session stands that is read here.', [[{}, polls]]),
    metric('sitrep_store_new_epochs_total', 'counter', 'Histories begun anew after the store was restarted or replaced.', [
      [{}, newEpochs],
    ]),
  ];
}

function commitSamples(stats: GatewayCore['stats']): Sample[] {
  let sum = 0;
  const buckets = COMMIT_BOUNDS.map((bound, n): Sample => [{ le: bound }, (sum += stats.commits[n] ?? 0), '_bucket']);
  return [...buckets, [{ le: '+Inf' }, stats.commitCount, '_bucket'], [{}, stats.commitSeconds, '_sum'], [{}, stats.commitCount, '_count']];
}

function metric(name: string, type: 'counter' | 'gauge' | 'histogram', help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labels, value, suffix = '']) => `${name}${suffix}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Label values are our own words and numbers, but for the version; escaped as the format asks all the same. */
function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${String(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`,
  );
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}
