import { setCustomElementsManifest, type Preview } from '@storybook/web-components-vite';
import manifest from '@sitrep/elements/custom-elements.json' with { type: 'json' };
import '@sitrep/elements/define';

setCustomElementsManifest(manifest);

const page = new CSSStyleSheet();
page.replaceSync('html{color-scheme:light dark}body.sb-show-main{background:light-dark(#f6f7f9,#0f1114)!important}');
document.adoptedStyleSheets.push(page);

const preview: Preview = { parameters: { a11y: { test: 'error' }, controls: { expanded: true } } };

export default preview;
