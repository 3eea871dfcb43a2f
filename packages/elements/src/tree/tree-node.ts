import type { Operation, Run } from '@sitrep/schema';
import type { Activity } from '@sitrep/schema/select';

/** How many operations are in each activity. */
export type Counts = Record<Activity, number>;

/** Nothing counted yet. */
export const noCounts = (): Counts => ({ 'needs-you': 0, working: 0, waiting: 0, failed: 0, done: 0, idle: 0 });

/** Place of a node among these rows, -1 if it is not one of them. */
export const indexIn = (rows: readonly TreeNode[], node: TreeNode | undefined): number =>
  node && rows[node.index] === node ? node.index : -1;

const NOTHING: readonly TreeNode[] = Object.freeze([]);

/** A row that can be listed: an operation, or the head of a run. It stays the same object for as long as what it stands for is there. */
export class TreeNode {
  /** Order of first appearance: rows never change places. */
  readonly serial: number;
  /** Key of the run it belongs to, or is the head of. */
  readonly runKey: string | undefined;
  /** The operation; undefined for the head of a run. */
  operation: Operation | undefined;
  /** The run's record, as far as it is known. */
  run: Run | undefined;
  parent: TreeNode | undefined;
  /** What lies under it. Most have nothing, and share it. */
  children: readonly TreeNode[] = NOTHING;
  /** What the reader decided; undefined until then. */
  opened: boolean | undefined;
  /** Operations of the run, for the head of one. */
  counts: Counts | undefined;
  /** Number among runs, from 1, for the head of one. */
  ordinal = 0;
  /** Depth, from 1, and place among those beside it that are listed. */
  level = 1;
  setSize = 1;
  place = 1;
  /** Height of its row, pixels; 0 until it was measured. */
  height = 0;
  /** Where it stood among the rows when it was laid out last. */
  index = -1;
  /** True while it matches what is filtered by, or is kept although it no longer does. */
  listed = false;
  /** Number of the layout in which it, or something under it, was to be shown. */
  mark = 0;
  /** The same for something under it only. */
  below = 0;

  constructor(serial: number, runKey: string | undefined, operation: Operation | undefined) {
    this.serial = serial;
    this.runKey = runKey;
    this.operation = operation;
  }

  /** Puts a node under this one. */
  adopt(node: TreeNode): void {
    node.parent = this;
    if (this.children === NOTHING) this.children = [node];
    else (this.children as TreeNode[]).push(node);
  }

  /** Lets go of what lies above and under it. */
  part(): void {
    this.parent = undefined;
    this.children = NOTHING;
  }
}
