/** What is loaded on first need is not in the page yet: it is measured on its own. */
const lazyApart = {
  name: 'lazy-apart',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
  },
};
const modifyEsbuildConfig = (config) => ({ ...config, format: 'esm', plugins: [...(config.plugins ?? []), lazyApart] });
const elements = (file) => `packages/elements/dist/${file}.js`;

/**
 * Minified and gzipped, Lit included; what comes later comes into a page that has Lit already. The bars are explained in
 * docs/decisions/2026-11-30-sizes.md.
 */
export default [
  { name: 'status-pill', path: elements('define/status-pill'), limit: '10.25 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'tool-progress', path: elements('define/tool-progress'), limit: '16.5 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'pill, tool and card', path: elements('define/progress-card'), limit: '21.35 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'surface, with the card', path: elements('define/progress-surface'), limit: '24.85 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'all four elements', path: elements('define'), limit: '23.35 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'peek, its cards come later', path: elements('define/progress-peek'), limit: '9.2 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'one file from a CDN', path: elements('cdn/sitrep'), limit: '18.25 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'progress-list', path: elements('define/progress-list'), limit: '24.2 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'progress-timeline', path: elements('define/progress-timeline'), limit: '25.15 KiB', gzip: true, modifyEsbuildConfig },
  {
    name: 'widget, with pill, tool and card',
    path: elements('define/progress-widget'),
    limit: '23.15 KiB',
    gzip: true,
    modifyEsbuildConfig,
  },
  {
    name: 'board, with widget, pill, tool and card',
    path: elements('define/progress-board'),
    limit: '26.15 KiB',
    gzip: true,
    modifyEsbuildConfig,
  },
  { name: 'toasts', path: elements('define/progress-toasts'), limit: '18.6 KiB', gzip: true, modifyEsbuildConfig },
  {
    name: 'source, store, checks and reducer, with the first session',
    path: elements('connect/install'),
    limit: '19.3 KiB',
    gzip: true,
    ignore: ['lit', '@lit/reactive-element'],
    modifyEsbuildConfig,
  },
  {
    name: 'Markdown, with the first note',
    path: elements('markdown/render-note'),
    limit: '12.75 KiB',
    gzip: true,
    ignore: ['lit'],
    modifyEsbuildConfig,
  },
  {
    name: 'Markdown, what comes with it where the browser has no setHTML',
    path: elements('markdown/purify'),
    limit: '13 KiB',
    gzip: true,
    modifyEsbuildConfig,
  },
  { name: 'schema: vocabulary', path: 'packages/schema/dist/index.js', limit: '1 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'schema: checks', path: 'packages/schema/dist/check/index.js', limit: '10 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'schema: reducers', path: 'packages/schema/dist/reduce/index.js', limit: '5.9 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'schema: selectors', path: 'packages/schema/dist/select/index.js', limit: '6.85 KiB', gzip: true, modifyEsbuildConfig },
];
