import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { amount, duration, formatNumber, formatPercent, reasonText, relativeTime, say } from '@sitrep/schema/select';
import { sentence } from '../src/display/punctuation.ts';
import { PHRASES, UNITS } from '../src/locales/phrases.ts';
import type { LanguagePack } from '../src/locales/phrases.ts';

const src = new URL('../src/', import.meta.url);
const select = new URL('../../schema/src/select/', import.meta.url);
const names = globSync('*.ts', { cwd: new URL('locales/', src) })
  .map((file) => file.replace(/\.ts$/, ''))
  .filter((name) => name !== 'phrases' && name !== 'languages')
  .toSorted();
const packs = new Map<string, LanguagePack>();
for (const name of names) packs.set(name, ((await import(`../src/locales/${name}.ts`)) as { default: LanguagePack }).default);

const holes = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).toSorted();
const forms = (text: LanguagePack[keyof LanguagePack]): string[] => (typeof text === 'object' ? Object.values(text) : [text ?? '']);

describe('phrases', () => {
  it('are all known that the elements and the selectors say', () => {
    const said = new Set<string>();
    for (const folder of [src, select]) {
      for (const file of globSync('**/*.ts', { cwd: folder })) {
        if (file.startsWith('locales/')) continue;
        const source = readFileSync(new URL(file, folder), 'utf8');
        for (const [, phrase] of source.matchAll(/\b(?:say|tr)\(\s*'((?:[^'\\]|\\.)*)'/g)) said.add(phrase!);
      }
    }
    assert.ok(said.size > 25, `${said.size} found`);
    const known: ReadonlySet<string> = new Set(PHRASES);
    assert.deepEqual(
      [...said].filter((phrase) => !known.has(phrase)),
      [],
    );
  });

  it('are there in eighteen languages beside English', () => {
    assert.deepEqual(names, 'ar de es fa fr he hi it ja ko nl pl pt ru tr uk zh-hans zh-hant'.split(' '));
    for (const [name, pack] of packs) assert.deepEqual(Object.keys(pack).toSorted(), [...PHRASES, ...UNITS].toSorted(), name);
  });

  it('keep every value that is put in, in every form', () => {
    for (const [name, pack] of packs) {
      for (const phrase of PHRASES) {
        for (const form of forms(pack[phrase])) {
          assert.deepEqual(holes(form), holes(phrase), `${name}: ${phrase}`);
          assert.ok(form.trim() === form && form.length > 0, `${name}: ${phrase}`);
        }
      }
    }
  });

  it('have the plural forms that the language has, and no others', () => {
    for (const [name, pack] of packs) {
      const { pluralCategories } = new Intl.PluralRules(name).resolvedOptions();
      for (const text of Object.values(pack)) {
        if (typeof text !== 'object') continue;
        for (const form of Object.keys(text)) assert.ok(pluralCategories.includes(form as Intl.LDMLPluralRule), `${name}: ${form}`);
        assert.ok('other' in text, name);
      }
    }
  });

  it('take the form that goes with the number', () => {
    const files = (name: string, n: number): string => say('files', { locale: name, phrases: packs.get(name)! }, { n });
    assert.deepEqual(
      [1, 2, 5, 21, 1500].map((n) => files('ru', n)),
      ['файл', 'файла', 'файлов', 'файл', 'файлов'],
    );
    assert.deepEqual(
      [1, 3].map((n) => files('de', n)),
      ['Datei', 'Dateien'],
    );
  });

  it('count whole millions as the language does', () => {
    const language = (name: string): { locale: string; phrases: LanguagePack } => ({ locale: name, phrases: packs.get(name)! });
    const million = (name: string): string => amount({ current: 1, total: 1_000_000, unit: 'files' }, language(name)) ?? '';
    assert.match(million('fr'), /de fichiers$/);
    assert.match(million('es'), /de archivos$/);
    assert.match(million('pt'), /de arquivos$/);
    assert.match(million('it'), /di file$/);
    assert.match(amount({ current: 1, total: 1_000_001, unit: 'files' }, language('fr')) ?? '', /[^e] fichiers$/);
  });

  it('have a form for every count there is, or one for all', () => {
    for (const [name, pack] of packs) {
      const rules = new Intl.PluralRules(name);
      for (const [phrase, text] of Object.entries(pack)) {
        if (typeof text !== 'object') continue;
        for (let n = 0; n <= 125; n++) {
          const language = { locale: name, phrases: pack };
          const said = say(phrase, language, { n });
          const form: string = (text as Readonly<Record<string, string>>)[rules.select(n)] ?? text.other;
          assert.equal(said, form.replace('{n}', formatNumber(n, name)), `${name}: ${phrase} of ${n}`);
        }
      }
    }
  });

  it('stand beside numbers, units, times and percentages as the platform writes them in each language', () => {
    for (const [name, phrases] of packs) {
      const language = { locale: name, phrases };
      const number = new Intl.NumberFormat(name);
      const unit = (n: number, of: string): string =>
        new Intl.NumberFormat(name, { style: 'unit', unit: of, unitDisplay: 'short' }).format(n);
      assert.equal(formatNumber(1234567.5, name), number.format(1234567.5), name);
      assert.equal(formatPercent(42, language), new Intl.NumberFormat(name, { style: 'percent' }).format(0.42), name);
      const list = new Intl.ListFormat(name, { type: 'unit', style: 'narrow' });
      assert.equal(duration(65_000, language), list.format([unit(1, 'minute'), unit(5, 'second')]), name);
      assert.equal(duration(7_380_000, language), list.format([unit(2, 'hour'), unit(3, 'minute')]), name);
      const ago = new Intl.RelativeTimeFormat(name, { style: 'short' });
      assert.equal(relativeTime(0, 180_000, language), ago.format(-3, 'minute'), name);
      const counted = amount({ current: 1234, total: 5000, unit: 'files' }, language) ?? '';
      for (const part of [number.format(1234), number.format(5000), say('files', language, { n: 5000 })])
        assert.ok(counted.includes(part), `${name}: ${counted} has ${part}`);
    }
  });

  it('say a million of something as the language does', () => {
    const million = (name: string): string =>
      amount({ current: 1_000_000, unit: 'files' }, { locale: name, phrases: packs.get(name)! }) ?? '';
    const ends = { es: ' de archivos', fr: ' de fichiers', it: ' di file', pt: ' de arquivos' };
    for (const [name, end] of Object.entries(ends)) assert.ok(million(name).endsWith(end), million(name));
    for (const name of Object.keys(ends)) {
      for (const [phrase, text] of Object.entries(packs.get(name)!))
        if (typeof text === 'object') assert.ok('many' in text, `${name}: ${phrase}`);
    }
  });

  it('are parted and ended as the language does', () => {
    const of = (locale: string): string => {
      const language = { locale, phrases: packs.get(locale.toLowerCase()) };
      return say('{what}, {more}', language, { what: 'A', more: 'B' }) + sentence('C', language);
    };
    const said = ['en', 'de', 'ar', 'fa', 'ja', 'zh-Hans', 'zh-Hant', 'hi', 'ko'].map(of);
    assert.deepEqual(said, ['A, BC.', 'A, BC.', 'A، BC.', 'A، BC.', 'A、BC。', 'A，BC。', 'A，BC。', 'A, BC।', 'A, BC.']);
    for (const end of ['Why?', 'なぜ？', 'لماذا؟', '完了。', 'Wait…']) assert.equal(sentence(end, { locale: 'ja' }), end);
  });

  it('say a reason in words', () => {
    const language = { locale: 'de', phrases: packs.get('de')! };
    assert.equal(reasonText('by_user', language), 'durch den Nutzer');
    assert.equal(reasonText('by_user'), 'by the user');
    assert.equal(reasonText('max_turn_requests', language), 'max turn requests');
    assert.equal(reasonText('Disk full: /var_log', language), 'Disk full: /var_log');
  });
});
