import type { ArgTypes } from '@storybook/web-components-vite';
import { OPERATION_STATES } from '@sitrep/schema';
import { declarationOf } from './manifest.ts';
import type { Member } from './manifest.ts';

const LANGUAGES = 'en ar de es fa fr he hi it ja ko nl pl pt ru tr uk zh-Hans zh-Hant'.split(' ');
const ACTIVITIES = ['working', 'waiting', 'needs-you', 'idle', 'done', 'failed'];

/** What the names of types stand for in the manifest, where a value can be chosen. */
const choices: Readonly<Record<string, readonly string[]>> = {
  ShownState: [...new Set([...OPERATION_STATES, ...ACTIVITIES, 'connecting', 'quiet', 'stale', 'reconnecting', 'lost'])],
  Activity: ACTIVITIES,
  "ProgressCard['showOperations']": ['none', 'live', 'all'],
};
const RECORDS = /^(readonly )?(Operation|OperationNode|Run|CardRecord|Usage|Connection|string)\b.*(\[\]|Body|\]>)?$/;

type InputType = ArgTypes[string];
type Control = Partial<Pick<InputType, 'control' | 'options'>>;
const none: Control = { control: false };

/** The control that fits a type: a choice, a switch, a number, a line, or a record to edit. */
function controlOf(type = ''): Control {
  const kinds = type.split(' | ');
  const named = kinds.filter((kind) => kind !== 'undefined' && kind !== 'null');
  const optional = named.length < kinds.length ? [undefined] : [];
  const chosen = named.flatMap((kind) => choices[kind] ?? (/^'.*'$/.test(kind) ? [kind.slice(1, -1)] : []));
  if (chosen.length > 0)
    return { control: 'select', options: [...optional, ...(named.includes('boolean') ? [false, true] : []), ...chosen] };
  const [only = ''] = named;
  if (only === 'boolean') return optional.length > 0 ? { control: 'select', options: [undefined, true, false] } : { control: 'boolean' };
  if (only === 'number') return { control: 'number' };
  if (only === 'string' || only === 'OperationId') return { control: 'text' };
  return RECORDS.test(only) ? { control: 'object' } : none;
}

const row = (category: string, { name, description, type, default: first }: Member, control: Control = none): InputType => ({
  name,
  ...(description && { description }),
  ...control,
  table: {
    category,
    ...(type && { type: { summary: type.text } }),
    ...(first !== undefined && { defaultValue: { summary: first } }),
  },
});

const AROUND = 'around it (the page, not the element)';
const around: ArgTypes = {
  lang: row(
    AROUND,
    { name: 'lang', description: 'Language of the page, which the elements speak.' },
    { control: 'select', options: LANGUAGES },
  ),
  dir: row(AROUND, { name: 'dir', description: 'Direction of the page.' }, { control: 'inline-radio', options: ['ltr', 'rtl'] }),
  scheme: row(AROUND, { name: 'color-scheme', description: 'Light or dark.' }, { control: 'inline-radio', options: ['light', 'dark'] }),
  density: row(AROUND, { name: 'density', description: 'The theme “dense”.' }, { control: 'inline-radio', options: ['normal', 'dense'] }),
  width: row(
    AROUND,
    { name: 'width', description: 'Room there is, pixels; all of it when empty.' },
    { control: { type: 'number', min: 200 } },
  ),
};

const slotted = (slot: Member): Member => ({ ...slot, name: slot.name || '(default)' });
const called = ({ name, parameters = [], return: { type } = {}, ...more }: Member): Member => ({
  ...more,
  name: `${name}(${parameters.map((one) => one.name).join(', ')})`,
  ...(type && { type }),
});

/**
 * Everything the manifest says of an element, as rows of the table on its page, with a control for whatever can be changed there. An
 * attribute and its property are one row. Parts and states have names of their own: a part may be called what an attribute is called.
 */
export function argTypesOf(tag: string): ArgTypes {
  const { attributes = [], members = [], events = [], slots = [], cssParts = [], cssStates = [], cssProperties = [] } = declarationOf(tag);
  const fields = members.filter(({ kind, attribute }) => kind === 'field' && attribute === undefined);
  const rows: [string, InputType][] = [];
  const add = (prefix: string, category: string, found: readonly Member[]): void => {
    for (const one of found) rows.push([`${prefix}${one.name}`, row(category, one)]);
  };
  for (const one of attributes) {
    const other = one.fieldName && one.fieldName !== one.name ? ` Property: \`${one.fieldName}\`.` : '';
    const described = { ...one, description: `${one.description ?? ''}${other}` };
    rows.push([one.name, row('attributes', described, controlOf(one.type?.text))]);
  }
  for (const one of fields) rows.push([one.name, row('properties', one, one.readonly ? none : controlOf(one.type?.text))]);
  rows.push(...Object.entries(around));
  add('method:', 'methods', members.filter(({ kind }) => kind === 'method').map(called));
  add('event:', 'events', events);
  add('slot:', 'slots', slots.map(slotted));
  add('part:', 'css parts: ::part(…)', cssParts);
  add('state:', 'css states: :state(…)', cssStates);
  add('', 'css custom properties', cssProperties);
  return Object.fromEntries(rows);
}
