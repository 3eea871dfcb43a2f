import { focused } from '../display/composed.ts';
import type { ProgressWidget } from '../progress-widget/progress-widget.ts';

const widgetsIn = (root: ShadowRoot): ProgressWidget[] => [...root.querySelectorAll<ProgressWidget>('.list progress-widget')];

/**
 * Keeps the focus on a board whose widgets are put elsewhere or taken away: what moves has it again, and after what went it is at the
 * widget that took the place. Taken down before the widgets change; the answer is called when they have.
 */
export function keepFocus(root: ShadowRoot): (() => void) | undefined {
  const holder = root.activeElement;
  const at = holder ? widgetsIn(root).indexOf(holder as ProgressWidget) : -1;
  const before = focused() as HTMLElement | null;
  if (at < 0 || !before) return undefined;
  return () => {
    // Who has gone on elsewhere is not called back.
    const now = focused();
    if (now && now !== document.body) return;
    if (before.isConnected) return before.focus({ preventScroll: true });
    const widgets = widgetsIn(root);
    if (!widgets[Math.min(at, widgets.length - 1)]?.focusPart(before.part[0])) focusItself(root.querySelector('section'));
  };
}

/** Puts the focus on what has no place in the order of the Tab key, for as long as it stays there. */
function focusItself(element: HTMLElement | null): void {
  if (!element) return;
  element.tabIndex = -1;
  element.addEventListener('blur', () => element.removeAttribute('tabindex'), { once: true });
  element.focus({ preventScroll: true });
}
