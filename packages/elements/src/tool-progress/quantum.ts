import { beat } from '../display/frame.ts';

/** Values on the page move this often, all at once, milliseconds; a change of state is drawn with the next frame. */
const FEW = 100;
/** The same where more than a screenful moves: nobody reads so many numbers, and drawing them is nearly all that they cost. */
const MANY = 250;
/** Up to here they are few. */
const MOST_OF_FEW = 24;
/** The same for what is scrolled out of sight. */
const OUT_OF_SIGHT = 1000;

let flush: Promise<void> | undefined;
/** How many moved the last time, and how many will the next time. */
let moved = 0;
let moving = 0;

/** Resolves when values may be written the next time. */
export function valuesTurn(outOfSight?: boolean): Promise<void> {
  if (outOfSight) return beat(OUT_OF_SIGHT);
  moving++;
  return (flush ??= nextFlush());
}

/** Whether more than a screenful has moved the last time. */
export const manyMove = (): boolean => moved > MOST_OF_FEW;

async function nextFlush(): Promise<void> {
  await beat(manyMove() ? MANY : FEW);
  flush = undefined;
  moved = moving;
  moving = 0;
}
