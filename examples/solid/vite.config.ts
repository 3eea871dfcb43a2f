import solid from 'vite-plugin-solid';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [solid()],
  server: { proxy: { '/v1': 'http://127.0.0.1:4747' } },
});
