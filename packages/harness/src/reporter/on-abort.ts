interface Shared {
  readonly callbacks: Set<() => void>;
  readonly listener: () => void;
}

const shared = new WeakMap<AbortSignal, Shared>();

/**
 * Calls `callback` once when `signal` aborts, at once if it has already; the returned function takes it back. All
 * callbacks of one signal share one listener: a turn with many invocations is no leak, and Node would warn of one.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  if (signal.aborted) {
    callback();
    return () => {};
  }
  // What is handed in as a signal and is none can abort nothing.
  if (!isSignal(signal)) return () => {};
  const { callbacks, listener } = shared.get(signal) ?? listen(signal);
  callbacks.add(callback);
  return () => {
    callbacks.delete(callback);
    if (callbacks.size > 0) return;
    signal.removeEventListener('abort', listener);
    shared.delete(signal);
  };
}

function listen(signal: AbortSignal): Shared {
  const callbacks = new Set<() => void>();
  const entry: Shared = {
    callbacks,
    listener() {
      shared.delete(signal);
      for (const callback of callbacks) callback();
    },
  };
  signal.addEventListener('abort', entry.listener, { once: true });
  shared.set(signal, entry);
  return entry;
}

/** True for a signal. By shape, because signals cross realms. */
export function isSignal(value: unknown): value is AbortSignal {
  if (typeof value !== 'object' || value === null) return false;
  const { addEventListener, removeEventListener } = value as Partial<AbortSignal>;
  return typeof addEventListener === 'function' && typeof removeEventListener === 'function';
}
