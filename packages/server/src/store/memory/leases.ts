import type { Hold, Lease, LeaseStore } from '../lease-store.ts';

interface Row {
  readonly leases: Map<string, Lease>;
  readonly holds: Map<string, string>;
}

/** Leases in memory, and what commits and sessions that are let go do to them. */
export interface MemoryLeases extends LeaseStore {
  commit(session: string, change: { readonly leases?: readonly Lease[] | undefined; readonly holds?: readonly Hold[] | undefined }): void;
  forget(session: string): void;
}

/** Makes the leases of a memory store. */
export function createMemoryLeases(): MemoryLeases {
  const rows = new Map<string, Row>();
  return {
    commit(session, { leases = [], holds = [] }) {
      if (leases.length === 0 && !rows.has(session)) return;
      const row = rows.get(session) ?? { leases: new Map<string, Lease>(), holds: new Map<string, string>() };
      rows.set(session, row);
      for (const lease of leases) row.leases.set(lease.producer, lease);
      for (const { key, producer } of holds) {
        if (producer === undefined) row.holds.delete(key);
        else row.holds.set(key, producer);
      }
    },
    forget(session) {
      rows.delete(session);
    },
    async renew(leases) {
      return leases.map((lease) => {
        const row = rows.get(lease.session);
        if (!row?.leases.has(lease.producer)) return undefined;
        row.leases.set(lease.producer, lease);
        let held = 0;
        for (const producer of row.holds.values()) if (producer === lease.producer) held += 1;
        return held;
      });
    },
    async expired({ now, until, limit }) {
      const found: Lease[] = [];
      for (const { leases } of rows.values()) {
        for (const lease of leases.values()) {
          if (found.length >= limit) return found;
          if (lease.expiresAt <= now || lease.expiresAt > until) found.push(lease);
        }
      }
      return found;
    },
    async of(session) {
      const row = rows.get(session);
      return { leases: [...(row?.leases.values() ?? [])], holds: new Map(row?.holds ?? []) };
    },
    async drop({ session, producer, expiresAt }) {
      const row = rows.get(session);
      if (row?.leases.get(producer)?.expiresAt !== expiresAt) return;
      row.leases.delete(producer);
      for (const [key, holder] of row.holds) if (holder === producer) row.holds.delete(key);
      if (row.leases.size === 0) rows.delete(session);
    },
  };
}
