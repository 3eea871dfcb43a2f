import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  plugins: [react()],
  server: { proxy: { '/v1': 'http://127.0.0.1:4747' } },
});
