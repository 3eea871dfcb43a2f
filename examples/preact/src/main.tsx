import { render } from 'preact';
import '@sitrep/elements/define';
import { App } from './app.tsx';

render(<App />, document.getElementById('app')!);
