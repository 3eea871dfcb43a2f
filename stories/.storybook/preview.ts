import { setCustomElementsManifest, type Preview } from '@storybook/web-components-vite';
import manifest from '@sitrep/elements/custom-elements.json' with { type: 'json' };
import '@sitrep/elements/define';
import { asChosen, globalTypes, initialGlobals } from './toolbar.ts';

setCustomElementsManifest(manifest);

const page = new CSSStyleSheet();
page.replaceSync(`
  html { color-scheme: light dark }
  body.sb-show-main { background: light-dark(#f6f7f9, #0f1114) !important; color: light-dark(#191c21, #e8eaef) }
  .sbdocs .docs-story { background: light-dark(#f6f7f9, #0f1114); color: light-dark(#191c21, #e8eaef) }
`);
document.adoptedStyleSheets.push(page);

const preview: Preview = {
  // One page for each element, with every state of it.
  tags: ['autodocs'],
  parameters: {
    a11y: { test: 'error' },
    controls: { expanded: true, sort: 'requiredFirst' },
    docs: { canvas: { sourceState: 'hidden' }, toc: true },
    options: { storySort: { order: ['Status pill', 'Tool progress', 'Progress card', '*', 'Theming'] } },
  },
  decorators: [asChosen],
  globalTypes,
  initialGlobals,
};

export default preview;
