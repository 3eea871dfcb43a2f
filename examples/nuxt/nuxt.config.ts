export default defineNuxtConfig({
  compatibilityDate: '2026-11-01',
  telemetry: false,
  devtools: { enabled: false },
  runtimeConfig: { gateway: 'http://127.0.0.1:4747' },
  vue: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('progress-') || tag === 'status-pill' || tag === 'tool-progress' } },
});
