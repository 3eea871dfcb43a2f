import { cleanLine } from '../../check/text/clean-line.ts';
import { utf8Width } from '../../check/text/utf8.ts';
import { toBase64 } from '../base64.ts';
import { writeOsc } from './sequence.ts';

/** One notice a terminal hands to the desktop. A later one with the same id takes its place. */
export interface OscNotification {
  /** Letters, digits and `_ - + .`; unique beyond this terminal, as a multiplexer passes it on. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  /** True when it asks for a person. */
  readonly urgent: boolean;
}

/** Bytes of one payload before it is encoded, by OSC 99. */
const PAYLOAD = 2048;

/** The notice by OSC 99, in as many sequences as its payloads need. Shown where the terminal is not looked at. */
export function osc99({ id, title, body, urgent }: OscNotification): string[] {
  const text = cleanLine(body);
  const titles = chunks(cleanLine(title));
  const bodies = text === '' ? [] : chunks(text);
  const parts = [...titles.map((chunk) => ['title', chunk] as const), ...bodies.map((chunk) => ['body', chunk] as const)];
  return parts.map(([kind, chunk], index) => {
    const done = index === parts.length - 1 ? 1 : 0;
    const first = index === 0 ? `:u=${urgent ? 2 : 1}:o=unfocused` : '';
    return writeOsc(99, `i=${id}:p=${kind}:d=${done}:e=1${first};${toBase64(chunk)}`);
  });
}

/** Takes a notice away, by OSC 99. */
export function osc99Close(id: string): string {
  return writeOsc(99, `i=${id}:p=close;`);
}

/** The notice by OSC 777. There a semicolon separates: in the title it becomes a comma. Nothing takes its place later. */
export function osc777({ title, body }: Pick<OscNotification, 'title' | 'body'>): string {
  return writeOsc(777, `notify;${cleanLine(title).replaceAll(';', ',')};${cleanLine(body)}`);
}

/** Parts of at most 2,048 UTF-8 bytes that never split a character; at least one. */
function chunks(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let bytes = 0;
  for (const character of text) {
    const width = utf8Width(character.codePointAt(0) as number);
    if (bytes + width > PAYLOAD) {
      parts.push(part);
      part = '';
      bytes = 0;
    }
    part += character;
    bytes += width;
  }
  return [...parts, part];
}
