/** One of each drawing a pill can have. */
export const STATES =
  'pending running waiting blocked paused completed failed cancelled denied interrupted connecting quiet stale lost'.split(' ');
