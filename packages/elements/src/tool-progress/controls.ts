import { displayTitle } from '@sitrep/schema/select';
import type { Operation } from '@sitrep/schema';
import { make, write } from '../display/make.ts';
import type { ShownOperation } from '../display/session-link.ts';
import { tr } from '../display/tr.ts';
import { ProgressCancelRequestEvent } from '../events/progress-cancel-request.ts';
import { ProgressDismissRequestEvent } from '../events/progress-dismiss-request.ts';
import { ProgressRetryRequestEvent } from '../events/progress-retry-request.ts';
import type { Phrase } from '../locales/phrases.ts';

/**
 * Writes the buttons for what can be asked of the operation now, as far as the page offers it. While an answer may still come the button
 * stays, and says so, but asks no second time.
 */
export function drawControls(head: Element, shown: ShownOperation, offered: string, ended: boolean, asked: boolean): void {
  const { operation, language } = shown;
  const wanted: readonly (readonly [name: string, phrase: Phrase, can: boolean | undefined])[] = [
    ['cancel', asked ? 'cancelling' : 'Cancel', !ended && operation.cancellable],
    ['retry', 'Try again', ended && operation.state !== 'completed'],
    ['dismiss', 'Dismiss', ended],
  ];
  for (const [name, phrase, can] of wanted) {
    let button = head.querySelector(`[part=${name}]`);
    if (!can || !offered.includes(name)) button?.remove();
    else {
      if (!button) {
        button = head.insertBefore(make('button', name), head.lastElementChild);
        button.setAttribute('type', 'button');
        button.append(' ', make('span', '', 'sr'));
      }
      // A disabled button would lose the focus.
      button.ariaDisabled = name === 'cancel' && asked ? 'true' : null;
      write(button, tr(phrase, language));
      write(button.lastElementChild!, ` ${displayTitle(operation, language)}`);
    }
  }
}

/** What the button of this name asks of the page. */
export function requestOf(name: string, operation: Operation): Event {
  if (name === 'dismiss') return new ProgressDismissRequestEvent({ operation });
  return new (name === 'cancel' ? ProgressCancelRequestEvent : ProgressRetryRequestEvent)(operation);
}
