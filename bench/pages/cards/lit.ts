/** A card as most would write it with Lit: one property, one template. */
import { css, html, LitElement, unsafeCSS } from 'lit';
import { styleMap } from 'lit/directives/style-map.js';
import type { Operation } from '@sitrep/schema/wire';
import { addStyle, CARD, GRID, operationAt, percent, type Cards } from './card.ts';

class LitCard extends LitElement {
  static override properties = { operation: { attribute: false } };
  static override styles = css`
    ${unsafeCSS(CARD)}
  `;
  declare operation: Operation;

  override render() {
    const { title, state, message } = this.operation;
    const part = percent(this.operation);
    return html`<div class="card">
      <div class="head"><span class="title">${title}</span><span class="pill" data-state=${state}>${state}</span></div>
      <div class="bar" role="progressbar" aria-valuemin="0" aria-valuemax="100" aria-valuenow=${part}>
        <div class="fill" style=${styleMap({ transform: `scaleX(${part / 100})` })}></div>
      </div>
      <div class="foot"><span class="message">${message}</span><span class="percent">${part}%</span></div>
    </div>`;
  }
}
customElements.define('lit-card', LitCard);

export function make(): Cards {
  const cards: LitCard[] = [];
  return {
    mount(root, count, look) {
      addStyle(GRID);
      const fragment = document.createDocumentFragment();
      for (let i = 0; i < count; i++) {
        const card = document.createElement('lit-card') as LitCard;
        card.operation = operationAt(i, 0, look);
        cards.push(card);
        fragment.append(card);
      }
      root.append(fragment);
    },
    update(changes) {
      for (const [card, value] of changes) cards[card]!.operation = value;
    },
  };
}
