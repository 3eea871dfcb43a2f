import { unreadable } from '../check/issue-list.ts';
import type { DecodeContext, Dialect } from './dialect.ts';

/**
 * The dialect as it is handed out: whatever throws when it is read (an accessor, a revoked proxy) is refused like any
 * other bad frame, has no frame of its own, and is of no shape.
 */
export function guarded<Frame, Context extends DecodeContext, Memory>(
  dialect: Dialect<Frame, Context, Memory>,
): Dialect<Frame, Context, Memory> {
  return {
    name: dialect.name,
    whole: dialect.whole,
    ...(dialect.only === undefined ? undefined : { only: dialect.only }),
    detect: (frame) => attempt(() => dialect.detect(frame), false),
    decode: (frame, context, memory) => attempt(() => dialect.decode(frame, context, memory), unreadable()),
    encode: (event, before) => attempt(() => dialect.encode(event, before), []),
  };
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
