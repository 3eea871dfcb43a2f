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

/** Records in this process. */
export class MemoryRecords implements RecordStore {
  readonly #kinds = new Map<string, Map<string, StoredRecord>>();
  #version = 0;

  async get(kind: string, key: string): Promise<StoredRecord | undefined> {
    return this.#kinds.get(kind)?.get(key);
  }

  async list(kind: string, { limit = Infinity }: { readonly limit?: number | undefined } = {}): Promise<readonly StoredRecord[]> {
    const records = [...(this.#kinds.get(kind)?.values() ?? [])];
    return records.length > limit ? records.slice(0, limit) : records;
  }

  async write(writes: readonly RecordWrite[]): Promise<boolean> {
    for (const { kind, key, expected } of writes) {
      if (expected !== undefined && expected !== (this.#kinds.get(kind)?.get(key)?.version ?? 0)) return false;
    }
    for (const { kind, key, value } of writes) this.put(kind, key, value);
    return true;
  }

  /** Writes one record, whatever is there. */
  put(kind: string, key: string, value: string | null): void {
    const records = this.#kinds.get(kind) ?? new Map<string, StoredRecord>();
    records.delete(key);
    if (value !== null) records.set(key, { key, value, version: ++this.#version });
    if (records.size > 0) this.#kinds.set(kind, records);
    else this.#kinds.delete(kind);
  }

  clear(): void {
    this.#kinds.clear();
  }
}
