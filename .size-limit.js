/** What is loaded on first need is not in the page yet: it is measured on its own. */
const lazyApart = {
  name: 'lazy-apart',
  setup({ onResolve }) {
    onResolve({ filter: /.*/ }, ({ kind, path }) => (kind === 'dynamic-import' ? { path, external: true } : undefined));
  },
};
const modifyEsbuildConfig = (config) => ({ ...config, format: 'esm', plugins: [...(config.plugins ?? []), lazyApart] });
const elements = (file) => `packages/elements/dist/${file}.js`;

/** Minified and gzipped, Lit included; the notes come into a page that has Lit already. */
export default [
  { name: 'status-pill', path: elements('define/status-pill'), limit: '9 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'tool-progress', path: elements('define/tool-progress'), limit: '12 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'pill, tool and card', path: elements('define/progress-card'), limit: '15 KiB', gzip: true, modifyEsbuildConfig },
  { name: 'all elements with source, store and reducer', path: elements('define'), limit: '18 kB', gzip: true, modifyEsbuildConfig },
  {
    name: 'notes, loaded on first need',
    path: elements('markdown/render-note'),
    limit: '28 KiB',
    gzip: true,
    ignore: ['lit'],
    modifyEsbuildConfig,
  },
  { name: 'checks, reducers and selectors', path: 'packages/schema/dist/index.js', limit: '10 kB', gzip: true, modifyEsbuildConfig },
];
