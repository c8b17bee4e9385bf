import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The page is served under a content security policy without inline script or style: nothing is
// inlined, and everything stands in files beside index.html.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
  },
  server: { proxy: { '/api': process.env.FLYBALL_URL ?? 'http://127.0.0.1:8080' } },
});
