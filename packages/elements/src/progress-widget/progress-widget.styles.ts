import { css } from 'lit';

/** The frame that keeps the place of a session whatever becomes of it. */
export const styles = css`
  :host {
    content-visibility: auto;
    contain-intrinsic-size: auto 15rem auto 8rem;
  }
  .base {
    min-block-size: 6rem;
    display: flex;
    flex-direction: column;
    block-size: 100%;
    overflow: hidden;
  }
  progress-card {
    flex: 1;
  }
  progress-card::part(base) {
    border: 0;
    border-radius: 0;
    background: none;
    box-shadow: none;
  }
  progress-card::part(title) {
    display: -webkit-box;
    white-space: normal;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
  }
  @container (inline-size < 26rem) {
    progress-card::part(usage) {
      margin: 0;
    }
  }
  .stands {
    flex: 1;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    align-content: center;
    gap: 0.5rem;
    padding: 0.75rem 0.875rem;
    color: var(--_muted);
  }
  .stands > p {
    flex: 1 1 10rem;
    margin: 0;
  }
  .stands > svg {
    inline-size: 1.25rem;
    block-size: 1.25rem;
  }
  .stands > button {
    color: var(--_text);
  }
  .loading {
    flex: 1;
    padding: 0.75rem 0.875rem;
  }
  .loading::before {
    display: block;
    inline-size: 60%;
    block-size: 0.75rem;
    border-radius: var(--sitrep-bar-radius, 1rem);
    background: var(--_track);
    content: '';
  }
  .foot {
    display: flex;
    align-items: center;
    justify-content: end;
    gap: 0.25rem;
    border-block-start: var(--_line);
    padding: 0.1875rem 0.375rem;
    font-size: var(--_small);
  }
  .link {
    margin-inline-end: auto;
    border-radius: var(--sitrep-control-radius, 0.375rem);
    padding: 0.1875rem 0.5rem;
    color: var(--_accent);
    font-weight: 550;
    text-decoration: none;
  }
  .link:hover {
    text-decoration: underline;
  }
  .foot button {
    display: inline-flex;
    align-items: center;
    justify-content: center;
    border-color: transparent;
    padding: 0.25rem;
    color: var(--_muted);
  }
  .foot button:hover:not([disabled]) {
    color: var(--_text);
  }
  .foot button[disabled] {
    opacity: 0.4;
  }
  @media (forced-colors: active) {
    .foot button[disabled] {
      color: GrayText;
      opacity: 1;
    }
  }
`;
