/**
 * Small records beside the sessions: what parts of the gateway have to remember over a restart and share between nodes, such
 * as who is to be told of the end of a run. Each has a kind, a key within it, and a text.
 */
export interface StoredRecord {
  readonly key: string;
  readonly value: string;
  /** Another one with every write, higher than any before it in this store: a record that came back is not mistaken for the old one. */
  readonly version: number;
}

/** One record to write, or with a null value to take away. */
export interface RecordWrite {
  readonly kind: string;
  readonly key: string;
  readonly value: string | null;
  /** The version it must have, 0 for none yet; otherwise nothing is written. Absent: whatever is there. */
  readonly expected?: number | undefined;
}

/** Where such records are kept. */
export interface RecordStore {
  get(kind: string, key: string): Promise<StoredRecord | undefined>;
  /** Records of one kind, in the order they were last written, oldest first; at most `limit`, default all. */
  list(kind: string, options?: { readonly limit?: number | undefined }): Promise<readonly StoredRecord[]>;
  /** Writes all of them in one transaction, durably, or, when an expected version is not the one there, none: then false. */
  write(writes: readonly RecordWrite[]): Promise<boolean>;
}
