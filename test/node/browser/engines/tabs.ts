/** One tab of a browser that is driven over its own protocol. */
export interface Tab {
  /** What an expression comes to in the page; it has to be plain data, or a promise of it. */
  evaluate<T>(expression: string): Promise<T>;
  /** Sets the page to work and does not wait for it. */
  start(statement: string): Promise<void>;
  close(): Promise<void>;
}

/** A browser with tabs of one profile. */
export interface Tabs extends AsyncDisposable {
  readonly version: string;
  open(url: string): Promise<Tab>;
}
