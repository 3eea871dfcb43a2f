import { createSignal, Show } from 'solid-js';
import type { ProgressCancelRequestEvent, ProgressCard } from '@sitrep/elements';
import { askToStop, letter, src } from './session.ts';

export function App() {
  const [shown, setShown] = createSignal(true);
  const [pages, setPages] = createSignal(1);
  const [asked, setAsked] = createSignal('');
  let card: ProgressCard | undefined;

  const onCancel = ({ operation }: ProgressCancelRequestEvent) => {
    setAsked(`Asked to stop: ${operation.title}`);
    void askToStop(operation);
  };

  return (
    <main>
      <h1>Sitrep in Solid</h1>
      <button onClick={() => setShown(!shown())}>{shown() ? 'Hide' : 'Show'}</button>
      <button onClick={() => setPages(pages() + 1)}>Write a page</button>
      <button onClick={() => card?.scrollIntoView()}>Go to the card</button>
      <output>{asked()}</output>
      <Show when={shown()}>
        <status-pill src={src} />
        <progress-card
          ref={(element) => (card = element)}
          src={src}
          prop:open={true}
          hidden={false}
          actions="cancel"
          on:progress-cancel-request={onCancel}
        />
        <tool-progress prop:operation={letter(pages())} prop:open={false} hidden={false} />
      </Show>
    </main>
  );
}
