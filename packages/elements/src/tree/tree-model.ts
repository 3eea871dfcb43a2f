import type { Operation, Run } from '@sitrep/schema';
import { activity } from '@sitrep/schema/select';
import type { Activity } from '@sitrep/schema/select';
import type { OperationId } from '../display/tree.ts';
import { noCounts, TreeNode } from './tree-node.ts';
import type { Counts } from './tree-node.ts';

const bySerial = (a: TreeNode, b: TreeNode): number => a.serial - b.serial;

type ById = Map<OperationId, TreeNode>;

/** What a taking-in changed. */
export interface TreeChange {
  /** Nodes whose own record is another one now. */
  readonly changed: ReadonlySet<TreeNode>;
  /** Operations that were not there before. */
  readonly added: readonly TreeNode[];
  /** Rows came, went or moved: they have to be laid out again. */
  readonly structure: boolean;
}

/** How rows are chosen and grouped. */
export interface TreeOptions {
  /** Puts the operations of a run under a head of their own. */
  readonly grouped: boolean;
  /** Only these, with what they lie under. */
  readonly filter: Activity | undefined;
  /** Newest operations listed; older ones wait until they are asked for. */
  readonly limit: number;
  /** Whether rows with others under them are open where the reader has not decided. */
  readonly expanded: boolean;
}

/**
 * The operations of a session as rows, kept up to date record by record: taking in a list of which few records differ costs
 * one comparison of references per record. Rows stay in order of first appearance.
 */
export class TreeModel {
  options: TreeOptions = { grouped: true, filter: undefined, limit: Infinity, expanded: false };
  /** What is to be seen now, from first to last. */
  rows: readonly TreeNode[] = [];
  /** All operations, whether listed or not. */
  counts: Counts = noCounts();
  /** Operations that are older than the newest `limit`, and not listed. */
  earlier = 0;

  #operations: readonly Operation[] = [];
  #runs: readonly Run[] = [];
  /** Nodes of the operations, in their order. */
  #nodes: TreeNode[] = [];
  #top: TreeNode[] = [];
  #byRun = new Map<string | undefined, ById>();
  #heads = new Map<string, TreeNode>();
  /** Identifiers of parents that nobody has reported yet. */
  #missing = new Set<OperationId>();
  #place: { readonly run: string | undefined; readonly ids: ById; readonly head: TreeNode | undefined } | undefined;
  #serial = 0;
  #ordinal = 0;
  #layout = 0;
  #grouped = true;

  /** Number of operations taken in. */
  get size(): number {
    return this.#nodes.length;
  }

  /** The node of an operation. */
  find(id: OperationId, run: string | undefined): TreeNode | undefined {
    return this.#byRun.get(run)?.get(id);
  }

  /** All operations, in order of first appearance. */
  get nodes(): readonly TreeNode[] {
    return this.#nodes;
  }

  /** Takes in where everything stands now. */
  take(operations: readonly Operation[], runs: readonly Run[]): TreeChange {
    const changed = new Set<TreeNode>();
    const added: TreeNode[] = [];
    const before = this.#operations;
    let structure = false;
    let anew = operations.length < before.length || this.#grouped !== this.options.grouped;
    if (runs !== this.#runs || anew) {
      const gone = this.#takeRuns(runs, changed);
      structure ||= gone !== undefined;
      anew ||= gone === true;
    }
    for (let index = 0; index < before.length && !anew; index++) {
      const was = before[index]!;
      const is = operations[index]!;
      if (was === is) continue;
      if (was.id !== is.id || was.run !== is.run || was.parent !== is.parent) anew = true;
      else {
        const node = this.#renew(this.#nodes[index]!, is);
        changed.add(node);
        const head = node.runKey === undefined ? undefined : this.#heads.get(node.runKey);
        if (head && activity(was) !== activity(is)) changed.add(head);
      }
    }
    this.#operations = operations;
    if (!anew) {
      for (let index = before.length; index < operations.length; index++) {
        const operation = operations[index]!;
        anew = this.#missing.has(operation.id);
        structure = true;
        if (anew) break;
        const node = this.#add(operation);
        this.#attach(node);
        added.push(node);
      }
    }
    if (anew) this.#rebuild(changed, added);
    return { changed, added, structure: structure || anew };
  }

  /** Whether the reader sees what is under a row, or its details. */
  isOpen(node: TreeNode): boolean {
    if (node.opened !== undefined) return node.opened;
    if (!node.operation) return true;
    return (this.options.expanded && node.children.length > 0) || (this.#selects && node.below === this.#layout);
  }

  /** Opens or closes everything that has rows under it. */
  openAll(open: boolean): void {
    for (const node of this.#nodes) if (node.children.length > 0) node.opened = undefined;
    for (const head of this.#heads.values()) head.opened = open ? undefined : false;
    this.options = { ...this.options, expanded: open };
    if (!open && this.#selects) for (const node of this.#nodes) if (node.children.length > 0) node.opened = false;
  }

  /** Lays the rows out. What no longer matches the filter stays for as long as `keep` says so: nothing goes from under a reader's eyes. */
  lay(keep: (node: TreeNode) => boolean = () => false): void {
    const { filter, limit } = this.options;
    const from = Math.max(0, this.#nodes.length - limit);
    const number = ++this.#layout;
    this.earlier = from;
    if (this.#selects) {
      for (let index = from; index < this.#nodes.length; index++) {
        const node = this.#nodes[index]!;
        node.listed = filter === undefined || activity(node.operation!) === filter || (node.listed && keep(node));
        if (!node.listed) continue;
        node.mark = number;
        for (let at = node.parent; at && at.below !== number; at = at.parent) at.mark = at.below = number;
      }
      if (filter === undefined) for (const head of this.#heads.values()) if (head.children.length === 0) head.mark = number;
    }
    const rows: TreeNode[] = [];
    this.#walk(this.#top, number, rows);
    this.rows = rows;
  }

  /** Forgets what no longer matches the filter but was kept. */
  letGo(): void {
    for (const node of this.#nodes) node.listed = false;
  }

  /** True while not everything is listed. */
  get #selects(): boolean {
    return this.options.filter !== undefined || this.#nodes.length > this.options.limit;
  }

  /** Depth first, without recursion: a chain of any length cannot exhaust the stack. */
  #walk(top: readonly TreeNode[], number: number, rows: TreeNode[]): void {
    const selects = this.#selects;
    const place = (siblings: readonly TreeNode[], level: number): TreeNode[] => {
      const shown = selects ? siblings.filter((node) => node.mark === number) : (siblings as TreeNode[]);
      for (let index = 0; index < shown.length; index++) {
        const node = shown[index]!;
        node.level = level;
        node.setSize = shown.length;
        node.place = index + 1;
      }
      return shown;
    };
    const stack: { readonly nodes: readonly TreeNode[]; next: number }[] = [{ nodes: place(top, 1), next: 0 }];
    while (stack.length > 0) {
      const level = stack.at(-1)!;
      const node = level.nodes[level.next++];
      if (!node) stack.pop();
      else {
        node.index = rows.push(node) - 1;
        if (node.children.length > 0 && this.isOpen(node)) stack.push({ nodes: place(node.children, node.level + 1), next: 0 });
      }
    }
  }

  #renew(node: TreeNode, operation: Operation): TreeNode {
    this.#count(node, -1);
    node.operation = operation;
    this.#count(node, 1);
    return node;
  }

  #count({ operation, runKey }: TreeNode, by: number, head = runKey === undefined ? undefined : this.#heads.get(runKey)): void {
    const what = activity(operation!);
    this.counts[what] += by;
    if (head) head.counts![what] += by;
  }

  /** True if the heads have to be built anew, false if there are new ones, undefined if only records changed. */
  #takeRuns(runs: readonly Run[], changed: Set<TreeNode>): boolean | undefined {
    this.#runs = runs;
    if (!this.options.grouped) return undefined;
    let result: boolean | undefined;
    for (const run of runs) {
      const head = this.#heads.get(run.run);
      if (!head) {
        this.#head(run.run, run);
        result ??= false;
      } else if (head.run !== run) {
        if (head.run?.parent !== run.parent) result = true;
        head.run = run;
        changed.add(head);
      }
    }
    return result;
  }

  #head(key: string, run: Run | undefined): TreeNode {
    let head = this.#heads.get(key);
    if (head) return head;
    head = new TreeNode(++this.#serial, key, undefined);
    head.run = run;
    head.counts = noCounts();
    head.ordinal = ++this.#ordinal;
    this.#heads.set(key, head);
    const above = run?.parent === undefined ? undefined : this.#heads.get(run.parent);
    this.#under(above, head);
    return head;
  }

  #add(operation: Operation, known?: TreeNode): TreeNode {
    const { id, run } = operation;
    const node = known ?? new TreeNode(++this.#serial, run, operation);
    node.operation = operation;
    const place = this.#placeOf(run);
    place.ids.set(id, node);
    this.#nodes.push(node);
    this.#count(node, 1, place.head);
    return node;
  }

  /** Where the operations of a run are kept. Most come in the order of their runs, so the last answer is kept at hand. */
  #placeOf(run: string | undefined): { readonly run: string | undefined; readonly ids: ById; readonly head: TreeNode | undefined } {
    if (this.#place && this.#place.run === run) return this.#place;
    let ids = this.#byRun.get(run);
    if (!ids) this.#byRun.set(run, (ids = new Map()));
    const head = run !== undefined && this.options.grouped ? this.#head(run, undefined) : undefined;
    return (this.#place = { run, ids, head });
  }

  #attach(node: TreeNode): void {
    const above = this.#above(node);
    const free = above && !this.#circles(node, above) ? above : undefined;
    this.#under(free ?? this.#placeOf(node.runKey).head, node);
  }

  #under(above: TreeNode | undefined, node: TreeNode): void {
    if (above) above.adopt(node);
    else this.#top.push(node);
  }

  /** The operation it lies under. Across runs only where the runs have no heads: else each stays with its own. */
  #above({ operation, runKey }: TreeNode): TreeNode | undefined {
    const parent = operation!.parent;
    if (parent === undefined) return undefined;
    let found = this.#placeOf(runKey).ids.get(parent);
    if (!found && !this.options.grouped) for (const ids of this.#byRun.values()) found ??= ids.get(parent);
    if (!found) this.#missing.add(parent);
    return found;
  }

  #circles(node: TreeNode, above: TreeNode): boolean {
    // Where nothing lies under it yet, nothing can lie above it but itself.
    if (node.children.length === 0) return node === above;
    for (let at: TreeNode | undefined = above; at; at = at.parent) if (at === node) return true;
    return false;
  }

  /** From the beginning, with the nodes that are still needed: what the reader opened stays open, and nothing changes its place. */
  #rebuild(changed: Set<TreeNode>, added: TreeNode[]): void {
    const known = this.#byRun;
    const heads = this.#heads;
    added.length = 0;
    this.#nodes = [];
    this.#top = [];
    this.#byRun = new Map();
    this.#place = undefined;
    this.#heads = new Map();
    this.#missing.clear();
    this.counts = noCounts();
    this.#grouped = this.options.grouped;
    if (this.#grouped) this.#keepHeads(heads);
    for (const operation of this.#operations) {
      const before = known.get(operation.run)?.get(operation.id);
      // The same identifier twice in a list is two rows.
      const own = before && this.#byRun.get(operation.run)?.get(operation.id) !== before ? before : undefined;
      if (own) {
        if (own.operation !== operation) changed.add(own);
        own.part();
      }
      const node = this.#add(operation, own);
      if (!own) added.push(node);
    }
    for (const node of this.#nodes) this.#attach(node);
    this.#top.sort(bySerial);
    for (const head of this.#heads.values()) head.children = head.children.toSorted(bySerial);
  }

  #keepHeads(heads: ReadonlyMap<string, TreeNode>): void {
    const wanted = new Set(this.#operations.map(({ run }) => run));
    const records = new Map(this.#runs.map((run) => [run.run, run]));
    for (const [key, head] of heads) {
      if (!records.has(key) && !wanted.has(key)) continue;
      head.run = records.get(key);
      head.counts = noCounts();
      head.part();
      this.#heads.set(key, head);
    }
    for (const [key, run] of records) if (!this.#heads.has(key)) this.#head(key, run);
    this.#top = [];
    for (const head of this.#heads.values()) head.part();
    for (const head of this.#heads.values()) {
      const above = head.run?.parent === undefined ? undefined : this.#heads.get(head.run.parent);
      this.#under(above && !this.#circles(head, above) ? above : undefined, head);
    }
  }
}
