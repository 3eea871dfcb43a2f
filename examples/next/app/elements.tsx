'use client';
// Takes over what the server drew, and follows the session.
import '@sitrep/elements/hydrate';

export function Elements() {
  return null;
}
