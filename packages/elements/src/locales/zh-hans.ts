import type { LanguagePack } from './phrases.ts';

const pack = {} as LanguagePack;

export default pack;
