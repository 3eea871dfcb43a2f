import { css } from 'lit';

export const styles = css`
  :host {
    display: block;
    container-type: inline-size;
    contain-intrinsic-size: auto 20rem auto 4.5rem;
    content-visibility: auto;
  }
  .base {
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    padding: 0.5rem 0.75rem 0.625rem;
    background: var(--_surface);
    overflow-wrap: anywhere;
  }
  .head {
    display: flex;
    align-items: center;
    gap: 0.25rem 0.625rem;
    min-inline-size: 0;
  }
  .toggle {
    display: flex;
    flex: 0 1 auto;
    align-items: center;
    gap: 0.375rem;
    min-inline-size: 3rem;
    margin-inline-start: -0.375rem;
    border-color: transparent;
    padding: 0.125rem 0.375rem;
    font-weight: 600;
    text-align: start;
  }
  .toggle > .icon {
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .toggle:dir(rtl) > .icon {
    transform: scaleX(-1);
  }
  .open .toggle > .icon {
    transform: rotate(90deg);
  }
  .title,
  .message {
    overflow: hidden;
    min-inline-size: 0;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .message {
    flex: 1 1 4rem;
    color: var(--_muted);
  }
  .end {
    display: flex;
    flex: none;
    flex-wrap: wrap;
    align-items: center;
    justify-content: end;
    gap: 0.375rem;
    max-inline-size: 100%;
    margin-inline-start: auto;
  }
  .end button {
    font-size: 0.75rem;
  }
  .bar {
    margin-block: 0.375rem 0.25rem;
  }
  .meta {
    display: flex;
    flex-wrap: wrap;
    gap: 0 0.75rem;
    color: var(--_muted);
    font-size: 0.75rem;
    font-variant-numeric: tabular-nums;
  }
  .meta > :last-child:not(:only-child) {
    margin-inline-start: auto;
  }
  .percent {
    color: var(--_text);
    font-weight: 600;
  }
  .detail {
    display: -webkit-box;
    overflow: hidden;
    margin: 0.25rem 0 0;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  .open .detail {
    display: block;
  }
  .detail.attention,
  .detail.danger {
    color: var(--_tone);
    font-weight: 500;
  }
  .code {
    font-family: ui-monospace, monospace;
    font-size: 0.75rem;
    font-weight: 400;
  }
  .facts {
    margin: 0.375rem 0 0;
    color: var(--_muted);
    font-size: 0.75rem;
  }
  .nested {
    display: grid;
    gap: 0.125rem;
    margin: 0.5rem 0 0;
    border-inline-start: 2px solid var(--_border);
    padding: 0 0 0 0.625rem;
    padding-inline: 0.625rem 0;
    list-style: none;
  }
  .nested > li {
    min-inline-size: 0;
  }
  .nested tool-progress::part(base) {
    border-color: transparent;
    border-radius: 0;
    padding: 0.25rem 0;
    background: none;
  }
  .open .title,
  .open .message {
    white-space: normal;
  }
  @container (inline-size < 26rem) {
    .head {
      flex-wrap: wrap;
    }
    .toggle {
      flex: 1 1 5rem;
    }
    .message {
      order: 3;
      flex: 1 0 100%;
    }
  }
  @container (inline-size < 15rem) {
    .nested {
      padding-inline-start: 0.375rem;
    }
  }
`;
