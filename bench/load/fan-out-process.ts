/** One server of the fan-out table in a process of its own: publishes on request and tells what that took. */
import { FAN_OUTS } from '../peers/fan-out.ts';
import { used } from './probe.ts';
import type { Used } from './probe.ts';

/** Publishes `count` events, one every `every` milliseconds; 0 only looks. */
export interface FanOrder {
  readonly from: number;
  readonly count: number;
  readonly every: number;
  /** True to have the collector run before it looks. */
  readonly collect?: boolean | undefined;
}

export interface FanAnswer extends Used {
  readonly port: number;
}

const name = process.argv[2] ?? '';
const { port, publish } = await (FAN_OUTS[name] as (typeof FAN_OUTS)[string]).start();

async function run({ from, count, every, collect }: FanOrder): Promise<FanAnswer> {
  const began = performance.now();
  for (let n = 0; n < count; n += 1) {
    const left = began + n * every - performance.now();
    if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
    await publish(from + n);
  }
  return { port, ...used(collect === true) };
}

process.on('message', (order: FanOrder) => {
  run(order).then((answer) => process.send?.(answer), console.error);
});
process.send?.({ port, ...used(true) } satisfies FanAnswer);
