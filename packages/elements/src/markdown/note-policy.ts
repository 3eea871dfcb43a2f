/** What a Trusted Types policy must offer to be used for notes. */
export interface NotePolicy {
  createHTML(html: string): unknown;
  createScriptURL?(address: string): unknown;
}

let policy: NotePolicy | undefined;

/**
 * Lets notes use a Trusted Types policy of the page. Only needed where the browser has no `setHTML` of its own and the page
 * does not allow the policy `dompurify`. The policy must hand back what it is given; cleaning is done after it.
 */
export function setNotePolicy(own: NotePolicy | undefined): void {
  policy = own;
}

export function notePolicy(): NotePolicy | undefined {
  return policy;
}
