import { isFinal } from '../wire/states.ts';
import type { Operation } from '../wire/operation.ts';
import { DEFAULT_LOCALE } from './intl.ts';
import type { LanguageLike } from './language.ts';
import { say } from './say.ts';

/** What to call an operation: its active title while it is live, else its title, else its tool, else its kind. */
export function displayTitle(
  op: Pick<Operation, 'state' | 'title' | 'activeTitle' | 'tool' | 'kind'>,
  language: LanguageLike = DEFAULT_LOCALE,
): string {
  const titles = isFinal(op.state) ? [op.title, op.activeTitle] : [op.activeTitle, op.title];
  return [...titles, op.tool?.name, op.kind].find((text) => text !== undefined && text !== '') ?? say('Operation', language);
}
