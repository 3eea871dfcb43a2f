import { render } from 'solid-js/web';
import '@sitrep/elements/define';
import { App } from './app.tsx';

render(() => <App />, document.getElementById('app')!);
