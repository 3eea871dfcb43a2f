/** What a key does in an element. */
export interface Key {
  readonly keys: string;
  readonly does: string;
}

/** An element, for those who use it without a mouse or without looking. */
export interface Access {
  readonly tag: string;
  /** How the Tab key goes through it. */
  readonly stops: string;
  readonly keys: readonly Key[];
  /** What it has said aloud, and when. */
  readonly says: string;
  /** Beginning of the ids of its stories. */
  readonly stories: string;
}

const disclosure: readonly Key[] = [
  { keys: 'Enter, Space', does: 'On the title: opens and closes the details. On a button: asks for what it says.' },
  { keys: 'Escape', does: 'Closes what is open around the focus, the innermost first, and goes back to its title.' },
];

const tree: readonly Key[] = [
  { keys: 'Arrow down, up', does: 'Next row, previous row.' },
  { keys: 'Arrow inwards', does: 'Opens the row; on an open one goes to the first row below it, where there is none to its buttons.' },
  { keys: 'Arrow outwards', does: 'From a button to its row; closes an open row; on a closed one goes to the row above it.' },
  { keys: 'Home, End, Page Up, Page Down', does: 'First, last, one window up, one window down.' },
  { keys: 'Enter, Space', does: 'Opens and closes the row.' },
  { keys: '*', does: 'Opens everything beside the row.' },
  { keys: 'Letters', does: 'Next row whose name begins with them.' },
  { keys: 'Escape', does: 'From a button to its row; closes an open row.' },
];

export const access: readonly Access[] = [
  {
    tag: 'status-pill',
    stops: 'Nothing to stop at: it is text.',
    keys: [],
    says: 'Nothing by itself.',
    stories: 'status-pill--',
  },
  {
    tag: 'tool-progress',
    stops: 'The title, then the buttons that are offered, then what lies open under it.',
    keys: disclosure,
    says: 'Nothing by itself: it belongs to a card or a list, or the page says what it needs to.',
    stories: 'tool-progress--',
  },
  {
    tag: 'progress-card',
    stops:
      'The title, its buttons, then the links of the note and the operations while open. A note too wide for its place can be scrolled by keys.',
    keys: disclosure,
    says: 'What starts, needs somebody, fails, is denied or finishes; that a run ended. With “milestones” also 25, 50 and 75 percent, ten seconds apart at least.',
    stories: 'progress-card--',
  },
  {
    tag: 'progress-list',
    stops: 'One filter, the tools, one row. All others are reached by arrows.',
    keys: [...tree, { keys: 'Arrows, Home, End', does: 'On a filter: the other filters.' }],
    says: 'What a card says. Where both show a session each sentence is said once.',
    stories: 'progress-list--',
  },
  {
    tag: 'progress-timeline',
    stops: 'The buttons that look closer and less close, one row, and the slider where history is kept.',
    keys: [
      ...tree,
      { keys: '+, -', does: 'Looks closer, less close.' },
      { keys: 'Arrows, Home, End, Page Up, Page Down', does: 'On the slider: to earlier and later changes, the first, and how it is now.' },
    ],
    says: 'What a list says. While the past is shown nothing of what happens meanwhile.',
    stories: 'progress-timeline--',
  },
  {
    tag: 'progress-provider',
    stops: 'Its content; the button of the banner while the connection is lost.',
    keys: [{ keys: 'Enter, Space', does: 'On “Try again”: has the connection made again.' }],
    says: 'Once that the connection was lost, and once that everything is up to date again.',
    stories: 'progress-provider--',
  },
  {
    tag: 'progress-surface',
    stops: 'Those of the card, wherever it is. A move takes the focus along.',
    keys: [{ keys: 'Escape', does: 'Folds the card beside the composer and goes back to its title.' }],
    says: 'What its card says. That it moves is not said.',
    stories: 'progress-surface--',
  },
  {
    tag: 'progress-peek',
    stops: 'The reference. Where there is something to use in the card, Tab goes in, and behind its end on from the reference.',
    keys: [
      { keys: 'Tab', does: 'To a reference: shows its card. On a reference whose card can be used: goes into the card.' },
      { keys: 'Escape', does: 'Takes the card away; the focus is on the reference.' },
    ],
    says: 'Nothing by itself: the reference is described in a few words, and has the card as its details where it can be used.',
    stories: 'progress-peek--',
  },
  {
    tag: 'progress-board',
    stops: 'Those of its widgets, in the order in which they are seen.',
    keys: [],
    says: 'The new place of a widget that was moved.',
    stories: 'progress-board--',
  },
  {
    tag: 'progress-widget',
    stops: 'The card, the link to the session, then “Move earlier”, “Move later” and “Unpin” where it can be edited.',
    keys: [{ keys: 'Enter, Space', does: 'On a button: asks to move or to unpin. The focus stays with what was moved.' }],
    says: 'Nothing by itself.',
    stories: 'progress-widget--',
  },
  {
    tag: 'progress-toasts',
    stops: 'Each notice and its button to dismiss it, within the landmark “Notices”. A notice never takes the focus.',
    keys: [
      { keys: 'F8', does: 'Goes to the notices; from there back to where the reader was. “hotkey” names another key, or none.' },
      { keys: 'Escape', does: 'Dismisses the notice that has the focus; with the last one the focus goes back.' },
    ],
    says: 'What needs the reader, what failed and what is done, where no card of the session says it.',
    stories: 'progress-toasts--',
  },
];
