import { setCustomElementsManifest, type Preview } from '@storybook/web-components-vite';
import { emitTransformCode, useEffect } from 'storybook/preview-api';
import { withActions } from 'storybook/actions/decorator';
import { themes } from 'storybook/theming';
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
    controls: { expanded: true },
    docs: {
      canvas: { sourceState: 'hidden' },
      toc: true,
      theme: matchMedia('(prefers-color-scheme: dark)').matches ? themes.dark : themes.light,
      // Pages of elements have rows of their own, from the same manifest: with states and methods, and a control for each type.
      extractArgTypes: () => ({}),
      source: { type: 'code', language: 'html' },
    },
    options: {
      storySort: {
        order: [
          'Start',
          'Status pill',
          'Tool progress',
          'Progress card',
          'Progress list',
          'Progress timeline',
          'Progress provider',
          'Progress surface',
          'Progress peek',
          'Progress board',
          'Progress widget',
          'Progress toasts',
          'Page signals',
          'Theming',
          ['Overview', 'Builder', 'Recipes'],
          'Accessibility',
          ['Overview', 'Keys'],
          'Workshop',
          ['Replay', 'Playground', 'What it sounds like', 'Interactions'],
        ],
      },
    },
  },
  decorators: [
    // The code of a story follows its arguments.
    (story, context) => {
      useEffect(() => void emitTransformCode('', context), [context.args]);
      return story();
    },
    withActions,
    asChosen,
  ],
  globalTypes,
  initialGlobals,
};

export default preview;
