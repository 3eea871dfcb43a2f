/** One live card: the contract of every implementation, its data, and the plain look of those that bring none. */
import type { Operation } from '@sitrep/schema/wire';

/** One way of drawing many live cards. */
export interface Cards {
  /** Puts `count` cards into the page, each showing `operationAt(i, 0, look)`. */
  mount(root: HTMLElement, count: number, look: Look): void;
  /** Shows newer values on some cards. Called once per turn of the feed with all that is due. */
  update(changes: readonly (readonly [card: number, value: Operation])[]): void;
}

/** With amounts, or at work without any: then the bar moves by itself. */
export type Look = 'counting' | 'indeterminate';

/** The value of card `i` at its update `k`: amount and message change, as they do in a real run. */
export function operationAt(i: number, k: number, look: Look = 'counting'): Operation {
  return {
    id: `call_${i}`,
    attempt: 1,
    seq: k,
    state: 'running',
    updatedAt: Date.now(),
    title: `Building project ${i}`,
    message: `Compiling file ${k + i}`,
    ...(look === 'counting' ? { current: (k + i) % 101, total: 100 } : {}),
  };
}

/** What stands in the body of a row that has one. */
export const BODY = 'The compiler reads every source file of the project and writes what it makes of each beside it. '.repeat(3);

export const percent = (value: Operation) => Math.round(((value.current ?? 0) / (value.total ?? 100)) * 100);

/** Where the cards stand: rows of as many as fit. */
export const GRID = 'body{margin:0}#root{display:flex;flex-wrap:wrap;align-content:flex-start}';

export const CARD = `
.card{box-sizing:border-box;width:300px;margin:4px;padding:8px 10px;border:1px solid #ccc;border-radius:8px;font:13px/1.35 sans-serif;background:#fff}
.head,.foot{display:flex;justify-content:space-between;gap:8px}
.title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.pill{padding:0 8px;border-radius:9px;background:#dbeafe;font-size:11px}
.pill[data-state=completed]{background:#dcfce7}
.bar{height:6px;margin:6px 0;border-radius:3px;background:#e5e7eb;overflow:hidden}
.fill{height:100%;background:#3b82f6;transform-origin:0 50%}
.indeterminate .fill{width:40%;animation:slide 1.2s linear infinite}
@keyframes slide{from{margin-left:-40%}to{margin-left:100%}}
.foot{color:#555;font-size:12px}`;

/** Adds rules to the page. */
export function addStyle(css: string): void {
  const style = document.createElement('style');
  style.textContent = css;
  document.head.append(style);
}
