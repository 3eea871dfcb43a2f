import { isObject } from '../check/guards.ts';
import { jsonFault } from '../check/json-size.ts';

/**
 * JSON Patch (RFC 6902) with JSON Pointer (RFC 6901), for peers that say what changed that way. Pure: what stays the same
 * keeps its reference, the document is never touched. All or nothing, as the RFC has it. Bounded: in operations, depth,
 * and the size of what comes out, because a few copies of copies would otherwise fill any memory.
 */

/** Operations of one patch. */
const MAX_OPERATIONS = 500;
/** Levels a pointer may go down. */
const MAX_DEPTH = 64;
/** Characters of the resulting document as JSON. */
export const PATCHED_SIZE = 65_536;

/** The patched document, or which operation could not be applied and why. */
export type Patched =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly index: number; readonly rule: string };

/** Thrown and caught in this file alone. */
class Refusal {
  readonly rule: string;
  constructor(rule: string) {
    this.rule = rule;
  }
}

/** Applies a patch. Never throws. `index` is that of the operation that failed, -1 for the patch itself. */
export function applyJsonPatch(document: unknown, patch: unknown): Patched {
  if (!Array.isArray(patch)) return { ok: false, index: -1, rule: 'must be a list of operations.' };
  if (patch.length > MAX_OPERATIONS) return { ok: false, index: -1, rule: `must have at most ${MAX_OPERATIONS} operations.` };
  let value = document;
  for (const [index, operation] of patch.entries()) {
    try {
      value = applyOne(value, operation);
    } catch (error) {
      if (error instanceof Refusal) return { ok: false, index, rule: error.rule };
      return { ok: false, index, rule: 'could not be read.' };
    }
  }
  return { ok: true, value };
}

function applyOne(document: unknown, operation: unknown): unknown {
  if (!isObject(operation)) throw new Refusal('must be an operation.');
  const { from } = operation;
  const path = tokens(operation['path']);
  switch (operation['op']) {
    case 'add':
      return bounded(put(document, path, given(operation), 'add'));
    case 'replace':
      return bounded(put(document, path, given(operation), 'replace'));
    case 'remove':
      return drop(document, path);
    case 'copy':
      return bounded(put(document, path, at(document, tokens(from)), 'add'));
    case 'move':
      return move(document, tokens(from), path);
    case 'test':
      if (!isSame(at(document, path), given(operation), 0)) throw new Refusal('tests for another value.');
      return document;
    default:
      throw new Refusal('must be one of add, remove, replace, move, copy, test.');
  }
}

function move(document: unknown, from: readonly string[], path: readonly string[]): unknown {
  if (from.length < path.length && from.every((token, index) => token === path[index]))
    throw new Refusal('must not move a value into itself.');
  const value = at(document, from);
  return put(drop(document, from), path, value, 'add');
}

function given(operation: Record<string, unknown>): unknown {
  if (!Object.hasOwn(operation, 'value') || operation['value'] === undefined) throw new Refusal('must have a value.');
  return operation['value'];
}

/** The tokens of a pointer. `__proto__` is refused: no honest document has it, and many readers trip over it. */
function tokens(pointer: unknown): string[] {
  if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) throw new Refusal('must have a pointer such as /a/0.');
  if (/~(?![01])/.test(pointer)) throw new Refusal('must write ~ in a pointer as ~0.');
  const parts = pointer.split('/', MAX_DEPTH + 2).slice(1);
  if (parts.length > MAX_DEPTH) throw new Refusal(`must not go deeper than ${MAX_DEPTH} levels.`);
  if (parts.includes('__proto__')) throw new Refusal('must not name __proto__.');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(document: unknown, path: readonly string[]): unknown {
  return path.reduce(child, document);
}

function child(parent: unknown, token: string): unknown {
  if (Array.isArray(parent)) return parent[position(token, parent.length - 1)];
  if (isObject(parent) && Object.hasOwn(parent, token)) return parent[token];
  throw new Refusal('names a place that is not there.');
}

/** An index of an array, 0 to `last`. */
function position(token: string, last: number): number {
  const index = /^(0|[1-9]\d{0,9})$/.test(token) ? Number(token) : -1;
  if (index < 0 || index > last) throw new Refusal('names a place that is not there.');
  return index;
}

function put(parent: unknown, path: readonly string[], value: unknown, op: 'add' | 'replace'): unknown {
  const [token, ...rest] = path;
  if (token === undefined) return value;
  if (rest.length > 0) return exchanged(parent, token, put(child(parent, token), rest, value, op));
  if (op === 'add' && Array.isArray(parent))
    return parent.toSpliced(token === '-' ? parent.length : position(token, parent.length), 0, value);
  if (op === 'replace') child(parent, token);
  return exchanged(parent, token, value);
}

function drop(parent: unknown, path: readonly string[]): unknown {
  const [token, ...rest] = path;
  if (token === undefined) throw new Refusal('must not remove the whole document.');
  const held = child(parent, token);
  if (rest.length > 0) return exchanged(parent, token, drop(held, rest));
  if (Array.isArray(parent)) return parent.toSpliced(position(token, parent.length - 1), 1);
  return Object.fromEntries(Object.entries(parent as object).filter(([key]) => key !== token));
}

function exchanged(parent: unknown, token: string, value: unknown): unknown {
  if (Array.isArray(parent)) return parent.with(position(token, parent.length - 1), value);
  if (!isObject(parent)) throw new Refusal('names a place in a value that has none.');
  return { ...parent, [token]: value };
}

function bounded(document: unknown): unknown {
  if (jsonFault(document, PATCHED_SIZE) !== undefined) throw new Refusal(`must leave a document of at most ${PATCHED_SIZE} characters.`);
  return document;
}

function isSame(a: unknown, b: unknown, depth: number): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (depth > 2 * MAX_DEPTH || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) => Object.hasOwn(b, key) && isSame((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key], depth + 1),
  );
}
