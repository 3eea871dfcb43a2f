import { useRef, useState } from 'react';
import type { ProgressCancelRequestEvent, ProgressCard as ProgressCardElement } from '@sitrep/elements';
import { ProgressCard, StatusPill } from '@sitrep/elements/react';
import '@sitrep/elements/define/tool-progress';
import { askToStop, letter, src } from './session.ts';

export function App() {
  const [shown, setShown] = useState(true);
  const [pages, setPages] = useState(1);
  const [asked, setAsked] = useState('');
  const card = useRef<ProgressCardElement>(null);

  const onCancel = ({ operation }: ProgressCancelRequestEvent) => {
    setAsked(`Asked to stop: ${operation.title}`);
    void askToStop(operation);
  };

  return (
    <main>
      <h1>Sitrep in React 19</h1>
      <button onClick={() => setShown(!shown)}>{shown ? 'Hide' : 'Show'}</button>
      <button onClick={() => setPages(pages + 1)}>Write a page</button>
      <button onClick={() => card.current?.scrollIntoView()}>Go to the card</button>
      <output>{asked}</output>
      {shown && (
        <>
          <StatusPill src={src} />
          <ProgressCard ref={card} src={src} open hidden={false} actions="cancel" onProgressCancelRequest={onCancel} />
          <tool-progress operation={letter(pages)} open={false} hidden={false} />
        </>
      )}
    </main>
  );
}
