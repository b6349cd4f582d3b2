import type { Plugin } from 'vitest/config';

/**
 * Makes Vite support `with { type: 'text' }`, as esbuild does. The reference imports its guides and example scripts so.
 */
export const textImports: Plugin = {
  name: 'text-imports',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('node_modules')
      ? null
      : { code: code.replaceAll(/( from '[^']+)' with \{ type: 'text' \}/g, "$1?raw'"), map: null },
};
