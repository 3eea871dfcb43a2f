/** How long a request to cancel is taken to be on its way, milliseconds. After that the reader may ask again. */
const ANSWER = 10_000;

/** True while an answer to what was asked at this time may still come: a button must not stay dead for want of one. */
export const isOnItsWay = (askedAt: number | undefined, now: number): boolean => askedAt !== undefined && Math.abs(now - askedAt) < ANSWER;
