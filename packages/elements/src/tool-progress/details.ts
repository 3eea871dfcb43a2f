import { duration, reasonText } from '@sitrep/schema/select';
import { adoptLater } from '../display/adopt-later.ts';
import { make, write } from '../display/make.ts';
import { hasEnded } from '../display/shown-state.ts';
import type { ShownOperation } from '../display/session-link.ts';
import type { Phrase } from '../locales/phrases.ts';
import { tr } from '../display/tr.ts';
import { detailStyles } from './details.styles.ts';

/** What is asked of a person, by kind, where the producer gave no words of its own. */
const ASKED: Readonly<Record<string, Phrase>> = {
  permission: 'Waits for your permission.',
  question: 'Waits for your answer.',
  auth: 'Waits for you to sign in.',
};

/** Why an end has no outcome, where that is known. */
const UNTOLD: Readonly<Record<string, Phrase>> = {
  run_ended: 'Its run ended first.',
  producer_lost: 'Nothing more was heard from whoever ran it.',
};

/** A line: its class, its text, and the class and text of what stands behind it. */
type Line = readonly [className: string, text: string, moreClass?: string, more?: string];

/** Gives a root the looks of the details that were written in it. */
export const dressDetails = (root: ShadowRoot): void => adoptLater(root, detailStyles);

/**
 * Writes what holds the operation or what went wrong, at the end of `base` or before what is named; while open also what else became of
 * it, and the less urgent facts. True if there are any.
 */
export function drawDetails(base: Element, shown: ShownOperation, open: boolean, before: Element | null): boolean {
  const { tool, usage, error } = shown.operation;
  const first = hasEnded(shown.operation) ? (open || error) && outcome(shown) : held(shown);
  const facts = open && [
    tool && (tool.server ? tr('{tool} on {server}', shown.language, { tool: tool.name, server: tool.server }) : tool.name),
    usage?.label,
  ];
  const said = facts && facts.filter(Boolean).join(' · ');
  const lines = [first, said && ['facts', said]] as readonly (Line | '' | false | undefined)[];
  const places = [...base.children].filter(({ localName }) => localName === 'p');
  for (const line of lines) if (line) draw(places.shift() ?? base.insertBefore(make('p', 'detail'), before), line);
  for (const line of places) line.remove();
  return lines.some(Boolean);
}

function draw(line: Element, [className, text, moreClass, more]: Line): void {
  line.className = className;
  const [said = line.appendChild(make('bdi', '')), behind] = [...line.children];
  write(said, text);
  if (more) {
    if (!behind) line.append(' ', make('bdi', ''));
    const at = line.lastElementChild!;
    at.className = moreClass!;
    write(at, more);
  } else behind?.remove();
}

function held({ operation: { blockedOn, waitingOn }, view, language }: ShownOperation): Line | undefined {
  if (blockedOn) return ['detail attention', blockedOn.prompt || tr(ASKED[blockedOn.kind] ?? 'Waits for you.', language)];
  const left = (waitingOn?.until ?? 0) - view.now;
  const more = left > 0 && left < 1e15 ? tr('about {time} left', language, { time: duration(left, language) }) : '';
  return waitingOn && ['detail', tr('Waits for {what}', language, { what: waitingOn.text || tr('a machine', language) }), 'facts', more];
}

/** The code of an error is for those who look it up; a message that holds it needs no second one. */
function outcome({ operation: { error, reason, state }, language }: ShownOperation): Line | undefined {
  if (error) {
    const { message = '', code = '' } = error;
    return ['detail danger', message, 'code', message.includes(code) ? '' : code];
  }
  if (state === 'interrupted' && (!reason || UNTOLD[reason]))
    return ['detail', tr(UNTOLD[reason!] ?? 'It ended, and nobody said how.', language)];
  return reason && state !== 'completed'
    ? ['detail', tr('Reason: {reason}', language, { reason: reasonText(reason, language) })]
    : undefined;
}
