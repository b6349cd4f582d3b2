import type { Plugin } from 'vitest/config';

/** Vite does not know `with { type: 'text' }`, by which the reference has its guides and scripts to copy (esbuild does). */
export const textImports: Plugin = {
  name: 'text-imports',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('node_modules')
      ? null
      : { code: code.replaceAll(/( from '[^']+)' with \{ type: 'text' \}/g, "$1?raw'"), map: null },
};
