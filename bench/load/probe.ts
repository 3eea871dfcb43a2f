/** Loaded into the server's process before it starts: tells on request what it has used. */
export interface Used {
  /** Microseconds of processor time, of the process. */
  readonly cpu: number;
  /** Bytes after everything was let go that nobody holds. */
  readonly heap: number;
  readonly external: number;
  readonly resident: number;
  /** What keeps the event loop busy: sockets, timers, servers. */
  readonly handles: number;
}

/** What this process has used. With `collect`, after the collector has run. */
export function used(collect: boolean): Used {
  const gc = (globalThis as { gc?: () => void }).gc;
  if (collect) for (let n = 0; n < 3; n += 1) gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { cpu: user + system, heap: heapUsed, external, resident: rss, handles: process.getActiveResourcesInfo().length };
}

export interface ProbeOrder {
  readonly probe: number;
  readonly collect: boolean;
}

export interface ProbeAnswer extends Used {
  readonly probe: number;
}

process.on('message', (order: Partial<ProbeOrder>) => {
  if (order.probe !== undefined) process.send?.({ probe: order.probe, ...used(order.collect === true) } satisfies ProbeAnswer);
});
process.channel?.unref();
