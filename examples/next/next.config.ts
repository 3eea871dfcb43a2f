import { fileURLToPath } from 'node:url';
import type { NextConfig } from 'next';

export default {
  // What draws on the server is taken as it is installed.
  serverExternalPackages: ['@sitrep/elements', '@lit-labs/ssr', 'lit'],
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
} satisfies NextConfig;
