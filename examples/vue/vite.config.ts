import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

// Every tag with a dash is an element of the browser, not a component.
const isCustomElement = (tag: string) => tag.includes('-');

export default defineConfig({
  base: './',
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
  server: { proxy: { '/v1': 'http://127.0.0.1:4747' } },
});
