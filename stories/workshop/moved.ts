import type { ProgressEvent } from '@sitrep/schema';

const TIMES = ['at', 'startedAt', 'endedAt'] as const;

/** The event with every time in it moved. */
export function moved(event: ProgressEvent, move: (time: number) => number): ProgressEvent {
  const copy: Record<string, unknown> = { ...event };
  for (const key of TIMES) if (typeof copy[key] === 'number') copy[key] = move(copy[key]);
  return copy as unknown as ProgressEvent;
}
