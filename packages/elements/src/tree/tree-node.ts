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
  declare readonly serial: number;
  /** Key of the run it belongs to, or is the head of. */
  declare readonly runKey: string | undefined;
  /** The operation; undefined for the head of a run. */
  declare operation: Operation | undefined;
  /** The run's record, as far as it is known. */
  declare run: Run | undefined;
  declare parent: TreeNode | undefined;
  /** What lies under it. Most have nothing, and share it. */
  declare children: readonly TreeNode[];
  /** What the reader decided; undefined until then. */
  declare opened: boolean | undefined;
  /** Operations of the run, for the head of one. */
  declare counts: Counts | undefined;
  /** Number among runs, from 1, for the head of one. */
  declare ordinal: number;
  /** Depth, from 1, and place among those beside it that are listed. */
  declare level: number;
  declare setSize: number;
  declare place: number;
  /** Height of its row, pixels; 0 until it was measured. */
  declare height: number;
  /** Where it stood among the rows when it was laid out last. */
  declare index: number;
  /** True while it matches what is filtered by, or is kept although it no longer does. */
  declare listed: boolean;
  /** Number of the layout in which it, or something under it, was to be shown. */
  declare mark: number;
  /** The same for something under it only. */
  declare below: number;

  constructor(serial: number, runKey: string | undefined, operation: Operation | undefined) {
    // Here and not beside their names: thousands are made at once, and so it costs a third.
    this.serial = serial;
    this.runKey = runKey;
    this.operation = operation;
    this.run = this.parent = this.opened = this.counts = undefined;
    this.children = NOTHING;
    this.ordinal = this.height = this.mark = this.below = 0;
    this.level = this.setSize = this.place = 1;
    this.index = -1;
    this.listed = false;
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
