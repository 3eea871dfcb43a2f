/** The elements drawn on a server: HTML with declarative shadow roots. Needs `@lit-labs/ssr`. */
export { createRenderer, renderToStream, renderToString } from './server/render.ts';
export type { GivenSnapshot, RenderOptions } from './server/render.ts';
