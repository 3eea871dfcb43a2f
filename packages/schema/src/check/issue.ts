/**
 * What was wrong with a value, as data: where, which rule, and a sentence that says what to do. The offending value
 * itself is never repeated, because it may be large, secret or hostile.
 */
export interface Issue {
  /** JSON Pointer (RFC 6901) to the field, `''` for the value itself. */
  readonly path: string;
  /** Stable word for programs. */
  readonly code: IssueCode;
  /** One sentence for a person or a model: the field, the rule with its limit, and what was found instead. */
  readonly message: string;
}

export type IssueCode =
  | 'type'
  | 'required'
  | 'unknown_key'
  | 'unknown_type'
  | 'enum'
  | 'range'
  | 'too_short'
  | 'too_long'
  | 'too_many'
  | 'too_many_bytes'
  | 'empty'
  | 'in_progress'
  | 'syntax'
  | 'conflict'
  | 'session';

/** Answer of every check: the value, now typed and cleaned, or all that was wrong with it (at most 16 issues). */
export type Checked<T> = { readonly ok: true; readonly value: T } | Refused;

/** The half of every answer that says no. */
export interface Refused {
  readonly ok: false;
  readonly issues: readonly Issue[];
}
