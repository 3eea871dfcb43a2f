import { focused } from './composed.ts';

/**
 * The modal dialog that lies on top, if one is open: everything outside of it is inert. The focus is in it, wherever it stands; without
 * a focus it is the one it was `before`, which may lie in a shadow root, or the last one in the page.
 */
export function topModal(before?: HTMLDialogElement | null): HTMLDialogElement | undefined {
  for (let at: Element | null = focused(); at;) {
    const dialog: HTMLDialogElement | null = at.closest<HTMLDialogElement>('dialog:modal');
    if (dialog) return dialog;
    // A part of it may stand in a slot.
    at = at.assignedSlot ?? at.parentElement ?? ((at.getRootNode() as Partial<ShadowRoot>).host as Element | undefined) ?? null;
  }
  return before?.matches(':modal') ? before : [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1);
}
