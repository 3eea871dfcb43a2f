/** What the pages offer to the items that drive them. */
import type { Samples } from '../harness.ts';
import type { Look } from './cards/card.ts';

declare global {
  interface Window {
    /** Check page: times every validator that the page's policy lets run, and says why the others did not. */
    measure(rounds: { rounds: number; batchMs: number }): Promise<{ samples: Samples; failed: Record<string, string> }>;
    /** Stream page: reads the stream in one way; how long it took, and how many events came. */
    readStream(way: string): Promise<{ ms: number; count: number }>;
    /** Notes page: times every way to show a note, one table for each kind of change. */
    measureNotes(options: { rounds: number }): Promise<{ title: string; samples: Samples }[]>;
    /** Render page: puts the cards up; resolves with the milliseconds until their first frame was out. */
    mountCards(count: number, look: Look): Promise<number>;
    /** Render page: ends what every card shows. */
    endCards(count: number): Promise<void>;
    /** List page: makes the records. */
    prepareList(count: number): void;
    /** List page: puts the list up; resolves with the milliseconds until its first frame was out. */
    mountList(): Promise<number>;
    /** List page: changes rows, in turn among all of them, `rate` times a second for `ms` milliseconds. */
    feedList(options: { rate: number; ms: number }): Promise<{ updates: number; ms: number }>;
    /** List page: scrolls a little with every frame for `ms` milliseconds. */
    scrollList(ms: number): Promise<{ frames: number; ms: number }>;
    /** Render page: updates every card `rate` times a second for `ms` milliseconds. */
    feedCards(options: { count: number; rate: number; ms: number }): Promise<{ updates: number; frames: number; ms: number }>;
  }
}
