import list from '@sitrep/elements/tokens.json' with { type: 'json' };

/** What has been chosen, by the name of the token. */
export type Choices = Readonly<Record<string, string>>;
export type Token = (typeof list)[number];

export const tokens: readonly Token[] = list;
const byName = new Map(tokens.map((token) => [token.name, token]));

const hex = (colour: string): string => (colour.length === 4 ? colour.replace(/[^#]/g, '$&$&') : colour);

/** The two colours of a value, or undefined where it is not two plain colours. */
export function pairOf(value: string): readonly [light: string, dark: string] | undefined {
  const [, light, dark] = /^light-dark\( *(#[\da-f]{3,6}) *, *(#[\da-f]{3,6}) *\)$/i.exec(value) ?? [];
  if (light && dark) return [hex(light), hex(dark)];
  return /^#([\da-f]{3}|[\da-f]{6})$/i.test(value) ? [hex(value), hex(value)] : undefined;
}

/** Number and unit of a length or a time, or undefined where it is neither. */
export function amountOf(value: string): readonly [amount: number, unit: string] | undefined {
  const [, amount, unit] = /^(\d*\.?\d+)(rem|em|px|s|%)$/.exec(value) ?? [];
  return amount !== undefined && unit ? [Number(amount), unit] : undefined;
}

/** The CSS that makes a page look as chosen. */
export function cssOf(choices: Choices): string {
  const lines = Object.entries(choices).map(([name, value]) => `  ${name}: ${value};\n`);
  return lines.length ? `:root {\n${lines.join('')}}\n` : '';
}

/** What a piece of CSS chooses: the tokens in it, whatever else it holds. A value that could end its declaration is left out. */
export function choicesIn(css: string): Choices {
  const found: Record<string, string> = {};
  for (const [, name = '', value = ''] of css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/(--sitrep-[\w-]+)\s*:\s*([^;{}]+)/g))
    if (byName.has(name) && value.trim()) found[name] = value.trim();
  return found;
}
