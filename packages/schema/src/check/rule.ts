/** A schema as the issue collector reads it: generated data, one entry per field, without descriptions. */
export type Rule =
  | { readonly is: 'const'; readonly value: string }
  | { readonly is: 'enum'; readonly words: readonly string[] }
  | { readonly is: 'text'; readonly min?: number; readonly max?: number }
  | { readonly is: 'number' | 'integer'; readonly min?: number; readonly above?: number; readonly max?: number }
  | { readonly is: 'boolean' | 'null' | 'anything' }
  /** Options are never unions themselves. */
  | { readonly is: 'any'; readonly of: readonly Rule[] }
  | { readonly is: 'array'; readonly item: Rule; readonly max?: number }
  | { readonly is: 'record'; readonly value: Rule }
  | ObjectRule;

/** A closed object refuses keys that are not listed; an open one keeps them unread. */
export interface ObjectRule {
  readonly is: 'object';
  readonly fields: Readonly<Record<string, Rule>>;
  readonly required: readonly string[];
  readonly closed?: true;
}
