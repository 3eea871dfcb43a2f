import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { nearest } from './nearest.ts';
import { UsageError } from './usage-error.ts';

/** `util.parseArgs` with `--help`, and with its faults as a UsageError of the command. */
export function parse<T extends NonNullable<ParseArgsConfig['options']>>(command: string, args: string[], options: T) {
  try {
    return parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } } as T & { help: { type: 'boolean'; short: 'h' } },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(faultOf(error as NodeJS.ErrnoException, [...Object.keys(options), 'help']), command);
  }
}

/** What is wrong with the options, in words that name them as they are written here. */
function faultOf({ code, message }: NodeJS.ErrnoException, known: readonly string[]): string {
  const option = /'(--?[^\s'=]+)/.exec(message)?.[1] ?? '';
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = option.startsWith('--') ? nearest(option.slice(2), known) : undefined;
    return `Unknown option ${option}${meant === undefined ? '.' : `; did you mean --${meant}?`}`;
  }
  if (code !== 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE') return message;
  if (message.includes('does not take')) return `${option} takes no value.`;
  const written = message.includes('ambiguous') ? `; one that begins with - is written ${option}=<value>` : '';
  return `${option} needs a value${written}.`;
}

/** The gateway's address: the flag, else SITREP_URL, else this machine. */
export function gatewayUrl(command: string, flag: string | undefined): string {
  const text = flag ?? (process.env['SITREP_URL'] || 'http://127.0.0.1:4747');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new UsageError(`The gateway's address must be an http or https URL such as http://127.0.0.1:4747, not "${text}".`, command);
  }
  return text.replace(/\/+$/, '');
}
