import type { RecordStore, RecordWrite, StoredRecord } from '../records.ts';

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
