import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  // Relative, so that a proxy may serve the console under another path.
  base: './',
  build: {
    outDir: here('../dist/console'),
    emptyOutDir: true,
    // The page's policy allows files of our own only: nothing may be inlined as a data URL.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
    license: { fileName: 'THIRD-PARTY-NOTICES.md' },
  },
  // For work on the page itself: a gateway on its usual port answers the API.
  server: { proxy: { '/api': 'http://127.0.0.1:8000' } },
})
