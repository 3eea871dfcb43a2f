import { useRef, useState } from 'preact/hooks';
import type { ProgressCancelRequestEvent, ProgressCard } from '@sitrep/elements';
import { askToStop, letter, src } from './session.ts';

export function App() {
  const [shown, setShown] = useState(true);
  const [pages, setPages] = useState(1);
  const [asked, setAsked] = useState('');
  const card = useRef<ProgressCard>(null);

  const onCancel = ({ operation }: ProgressCancelRequestEvent) => {
    setAsked(`Asked to stop: ${operation.title}`);
    void askToStop(operation);
  };

  return (
    <main>
      <h1>Sitrep in Preact</h1>
      <button onClick={() => setShown(!shown)}>{shown ? 'Hide' : 'Show'}</button>
      <button onClick={() => setPages(pages + 1)}>Write a page</button>
      <button onClick={() => card.current?.scrollIntoView()}>Go to the card</button>
      <output>{asked}</output>
      {shown && (
        <>
          <status-pill src={src} />
          <progress-card ref={card} src={src} open hidden={false} actions="cancel" onprogress-cancel-request={onCancel} />
          <tool-progress operation={letter(pages)} open={false} hidden={false} />
        </>
      )}
    </main>
  );
}
