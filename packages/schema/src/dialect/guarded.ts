import { unreadable } from '../check/issue-list.ts';
import type { DecodeContext, Dialect } from './dialect.ts';

/**
 * The dialect as it is handed out: whatever throws when it is read (an accessor, a revoked proxy) is refused like any
 * other bad frame, has no frame of its own, and is of no shape.
 */
export function guarded<Frame, Context extends DecodeContext>(dialect: Dialect<Frame, Context>): Dialect<Frame, Context> {
  return {
    name: dialect.name,
    detect: (frame) => attempt(() => dialect.detect(frame), false),
    decode: (frame, context) => attempt(() => dialect.decode(frame, context), unreadable()),
    encode: (event) => attempt(() => dialect.encode(event), []),
  };
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
