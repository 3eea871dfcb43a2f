import { topModal } from './top-modal.ts';

/** Milliseconds between emptying a region and filling it again, so that the same words twice are heard twice. */
const PAUSE = 100;
/** Sentences said at once at most; what a flood of changes adds beyond that is on screen. */
const SENTENCES = 3;
/** Milliseconds within which two elements that show the same session say a sentence once. */
const ONCE = 1_000;

/** How a sentence is said: `normal` waits for what is being read, `high` does not, and is for what went wrong. */
export type Priority = 'normal' | 'high';

/** What a browser offers that speaks without a region (WAI-ARIA 1.3). */
type Notifier = Element & { ariaNotify?: (text: string, options: { readonly priority: Priority }) => void };

const waiting: { readonly sentence: string; readonly priority: Priority }[] = [];
/** When each sentence of the last moment was said. */
const said = new Map<string, number>();
const regions = new Map<Priority, HTMLElement>();
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Says a sentence to whoever listens instead of looking. The page has one voice, whatever number of elements use it; `more`
 * puts into words how many sentences were left out of a flood.
 */
export function speak(sentence: string, priority: Priority, more: (n: number) => string): void {
  const now = Date.now();
  for (const [before, at] of said) if (now - at >= ONCE || now < at) said.delete(before);
  if (said.has(sentence)) return;
  said.set(sentence, now);
  waiting.push({ sentence, priority });
  if (!canNotify()) for (const one of ['normal', 'high'] as const) regionOf(one).textContent = '';
  timer ??= setTimeout(() => sayAll(more), PAUSE);
}

/** The live regions of the page, there before the first sentence: a region that comes with its words is not heard everywhere. */
export function prepareVoice(): void {
  if (!canNotify()) for (const one of ['normal', 'high'] as const) regionOf(one);
}

function sayAll(more: (n: number) => string): void {
  timer = undefined;
  const all = waiting.splice(0);
  for (const priority of ['high', 'normal'] as const) {
    const sentences = all.filter((one) => one.priority === priority).map((one) => one.sentence);
    const left = sentences.length - SENTENCES;
    if (sentences.length > 0) say(sentences.slice(-SENTENCES).join(' ') + (left > 0 ? ` ${more(left)}` : ''), priority);
  }
}

function say(text: string, priority: Priority): void {
  const home = heardFrom() as Notifier;
  if (canNotify() && home.ariaNotify) home.ariaNotify(text, { priority });
  else regionOf(priority).textContent = text;
}

const canNotify = (): boolean => !!(document.body as Notifier).ariaNotify;

/** Where it can be heard: what is outside of an open modal dialog is inert. */
const heardFrom = (): HTMLElement => topModal(regions.get('normal')?.closest('dialog')) ?? document.body;

function regionOf(priority: Priority): HTMLElement {
  let region = regions.get(priority);
  if (!region) {
    region = document.createElement('div');
    region.role = priority === 'high' ? 'alert' : 'status';
    region.ariaAtomic = 'true';
    region.dataset['sitrep'] = 'voice';
    // By CSSOM, which a strict content security policy allows.
    Object.assign(region.style, { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' });
    regions.set(priority, region);
  }
  // A page may have replaced all it holds, and a dialog may have opened.
  const home = heardFrom();
  if (region.parentNode !== home) home.append(region);
  return region;
}
