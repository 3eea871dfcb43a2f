/** One server of the fan-out table in a process of its own: publishes on request and tells what that took. */
import { FAN_OUTS } from '../peers/fan-out.ts';
import { used } from './probe.ts';
import type { Used } from './probe.ts';

/** Publishes `count` events, one every `every` milliseconds; 0 only looks. Without a count, with the collector run before. */
export interface FanOrder {
  readonly from: number;
  readonly count: number;
  readonly every: number;
}

export interface FanAnswer extends Used {
  readonly port: number;
}

const name = process.argv[2] ?? '';
const { port, publish } = await (FAN_OUTS[name] as (typeof FAN_OUTS)[string]).start();

async function run({ from, count, every }: FanOrder): Promise<FanAnswer> {
  if (count === 0) return { port, ...used(true) };
  const before = process.cpuUsage();
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    const left = began + n * every - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    await publish(from + n);
  }
  // What is still on its way is part of it.
  await new Promise((resolve) => setTimeout(resolve, 500));
  const { user, system } = process.cpuUsage(before);
  return { port, ...used(false), cpu: user + system };
}

process.on('message', (order: FanOrder) => {
  run(order).then((answer) => process.send?.(answer), console.error);
});
process.send?.({ port, ...used(true) } satisfies FanAnswer);
