/** Frames of one session, as a gateway would send them. */
export const operation = (id: string | number, more: object = {}) => ({
  type: 'operation',
  session: 's',
  id,
  at: 1_700_000_000_000,
  ...more,
});
export const card = (revision: number, more: object = {}) => ({
  type: 'card',
  session: 's',
  revision,
  at: 1_700_000_000_000,
  card: { markdown: `note ${revision}` },
  ...more,
});
export const run = (name: string, state: string, more: object = {}) => ({
  type: 'run',
  session: 's',
  run: name,
  state,
  at: 1_700_000_000_000,
  ...more,
});
export const heartbeat = (epoch: string, seq: number) => ({ type: 'heartbeat', epoch, seq, at: 1_700_000_000_000 });
export const resync = (epoch: string, seq: number) => ({ type: 'resync', epoch, seq, reason: 'too-old' });
export const changes = (epoch: string, after: number, seq: number, operations: object[] = [], more: object = {}) => ({
  type: 'changes',
  session: 's',
  epoch,
  after,
  seq,
  at: 1_700_000_000_000,
  removed: [],
  operations: operations.map((record) => ({ attempt: 1, state: 'running', updatedAt: 1_700_000_000_000, ...record })),
  ...more,
});
export const snapshot = (epoch: string, seq: number, operations: object[] = [], more: object = {}) => ({
  type: 'snapshot',
  session: 's',
  epoch,
  seq,
  at: 1_700_000_000_000,
  card: null,
  revision: 0,
  operations: operations.map((record) => ({ attempt: 1, state: 'running', updatedAt: 1_700_000_000_000, ...record })),
  runs: [],
  ...more,
});
