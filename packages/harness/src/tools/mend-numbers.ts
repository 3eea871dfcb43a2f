const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Models write numbers as text now and then. Where the field is a number and the text is plainly one ("42", "0.5"), it
 * is read as that; everything else is left for the check to refuse, above all "", " " and "0x10", which JavaScript
 * would turn into numbers.
 */
export function mendNumbers(input: unknown, fields: readonly string[]): unknown {
  try {
    return withNumbers(input, fields);
  } catch {
    // What throws when it is read is the check's to refuse.
    return input;
  }
}

function withNumbers(input: unknown, fields: readonly string[]): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input;
  let result = input as Record<string, unknown>;
  for (const field of fields) {
    const value = result[field];
    if (typeof value !== 'string' || value.length > 40 || !DECIMAL.test(value) || !Number.isFinite(Number(value))) continue;
    if (result === input) result = { ...result };
    result[field] = Number(value);
  }
  return result;
}
