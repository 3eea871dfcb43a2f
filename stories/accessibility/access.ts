import { progressBoard, progressToasts, progressWidget } from './keys/boards.ts';
import type { Keyed } from './keys/key.ts';
import { progressPeek, progressProvider, progressSurface } from './keys/places.ts';
import { progressCard, toolProgress } from './keys/rows.ts';
import { progressList, progressTimeline } from './keys/trees.ts';

/** An element, for those who use it without a mouse or without looking. */
export interface Access {
  readonly tag: string;
  /** How the Tab key goes through it. */
  readonly stops: string;
  /** Its keys, each of which is tried; none where there is nothing to press. */
  readonly keyed?: Keyed;
  /** What it has said aloud, and when. */
  readonly says: string;
  /** Beginning of the ids of its stories. */
  readonly stories: string;
}

export const access: readonly Access[] = [
  {
    tag: 'status-pill',
    stops: 'Nothing to stop at: it is text.',
    says: 'Nothing by itself.',
    stories: 'status-pill--',
  },
  {
    tag: 'tool-progress',
    keyed: toolProgress,
    stops: 'The title, then the buttons that are offered, then what lies open under it.',
    says: 'Nothing by itself: it belongs to a card or a list, or the page says what it needs to.',
    stories: 'tool-progress--',
  },
  {
    tag: 'progress-card',
    keyed: progressCard,
    stops:
      'The title, its buttons, then the links of the note and the operations while open. A note too wide for its place can be scrolled by keys.',
    says: 'What starts, needs somebody, fails, is denied or finishes; that a run ended. With “milestones” also 25, 50 and 75 percent, ten seconds apart at least.',
    stories: 'progress-card--',
  },
  {
    tag: 'progress-list',
    keyed: progressList,
    stops: 'One filter, the tools, one row. All others are reached by arrows.',
    says: 'What a card says. Where both show a session each sentence is said once.',
    stories: 'progress-list--',
  },
  {
    tag: 'progress-timeline',
    keyed: progressTimeline,
    stops: 'The buttons that look closer and less close, one row, and the slider where history is kept.',
    says: 'What a list says. While the past is shown nothing of what happens meanwhile.',
    stories: 'progress-timeline--',
  },
  {
    tag: 'progress-provider',
    keyed: progressProvider,
    stops: 'Its content; the button of the banner while the connection is lost.',
    says: 'Once that the connection was lost, and once that everything is up to date again.',
    stories: 'progress-provider--',
  },
  {
    tag: 'progress-surface',
    keyed: progressSurface,
    stops: 'Those of the card, wherever it is. A move takes the focus along.',
    says: 'What its card says. That it moves is not said.',
    stories: 'progress-surface--',
  },
  {
    tag: 'progress-peek',
    keyed: progressPeek,
    stops: 'The reference. Where there is something to use in the card, Tab goes in, and behind its end on from the reference.',
    says: 'Nothing by itself: the reference is described in a few words, and has the card as its details where it can be used.',
    stories: 'progress-peek--',
  },
  {
    tag: 'progress-board',
    keyed: progressBoard,
    stops: 'Those of its widgets, in the order in which they are seen.',
    says: 'The new place of a widget that was moved.',
    stories: 'progress-board--',
  },
  {
    tag: 'progress-widget',
    keyed: progressWidget,
    stops: 'The card, the link to the session, then “Move earlier”, “Move later” and “Unpin” where it can be edited.',
    says: 'Nothing by itself.',
    stories: 'progress-widget--',
  },
  {
    tag: 'progress-toasts',
    keyed: progressToasts,
    stops: 'Each notice and its button to dismiss it, within the landmark “Notices”. A notice never takes the focus.',
    says: 'What needs the reader, what failed and what is done, where no card of the session says it.',
    stories: 'progress-toasts--',
  },
];
