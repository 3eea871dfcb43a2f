// A language of one's own: editors complete the phrases, and the compiler holds what is given to them.
import { addLanguage } from '@sitrep/elements/languages';
import type { LanguagePack } from '@sitrep/elements/languages';

addLanguage('sv', { 'needs you': 'behöver dig', files: { one: 'fil', other: 'filer' }, 'units of ours': 'enheter' });

// @ts-expect-error a number is no phrase
addLanguage('sv', { 'needs you': 3 });

// @ts-expect-error no whole language: nearly all of it is missing
export const whole = { 'needs you': 'behöver dig' } satisfies LanguagePack;

// @ts-expect-error no phrase of ours
export const misspelt = { 'needs yuo': 'behöver dig' } satisfies Partial<LanguagePack>;
