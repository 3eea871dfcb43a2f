import { now } from '../fixtures/records.ts';
import { handed } from './given.ts';

/** What a page writes to have what a story shows: the tag with its attributes, and the records by property where there are any. */
export function snippet(tag: string, args: Readonly<Record<string, unknown>>, inner = ''): string {
  const { attributes, properties } = handed(tag, args);
  const written = [...attributes].map(([name, value]) => (value === true ? ` ${name}` : ` ${name}="${value.replaceAll('"', '&quot;')}"`));
  const element = `<${tag}${written.join('')}>${inner && `\n${indented(inner)}\n`}</${tag}>`;
  const { view } = args as { readonly view?: { readonly session: string } };
  const markup = view ? `<progress-provider src="/v1/sessions/${view.session}">\n${indented(element)}\n</progress-provider>` : element;
  const set = [...properties].map(([name, value]) => `  element.${name} = ${literal(value).replaceAll('\n', '\n  ')};\n`);
  const imports = [...(view ? ['progress-provider'] : []), tag].map((one) => `  import '@sitrep/elements/define/${one}';\n`);
  const script = set.length > 0 ? `\n  const element = document.querySelector('${tag}');\n${set.join('')}` : '';
  return `${markup}\n<script type="module">\n${imports.join('')}${script}</script>`;
}

const indented = (text: string): string => text.replace(/^/gm, '  ');

/** What lies this near to the moment the page was opened, milliseconds, is written as a time before or after that. */
const NEAR = 30 * 24 * 3_600_000;

/** A value as it stands in a script, laid out over lines; what is a time stays as long ago as it is in the story. */
function literal(value: unknown): string {
  return (JSON.stringify(value, null, 2) ?? 'undefined')
    .replace(/^(\s*)"([a-zA-Z_]\w*)":/gm, '$1$2:')
    .replace(/: (\d{13})(?=,?$)/gm, (same, digits: string) => {
      const past = now - Number(digits);
      return Math.abs(past) > NEAR ? same : `: Date.now()${past === 0 ? '' : ` ${past > 0 ? '-' : '+'} ${Math.abs(past)}`}`;
    })
    .replaceAll('</', '<\\/');
}
