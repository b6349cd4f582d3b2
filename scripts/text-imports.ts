import type { Plugin } from 'vitest/config';

/** Vite does not know `with { type: 'text' }`, by which scripts and styles are texts (wrangler.toml, `[[rules]]`). Without it a script is a module. */
export const textImports: Plugin = {
  name: 'text-imports',
  enforce: 'pre',
  // Otherwise Vitest empties every style sheet.
  config: () => ({ test: { css: true } }),
  transform: (code, id) =>
    id.includes('node_modules')
      ? null
      : { code: code.replaceAll(/( from '[^']+)' with \{ type: 'text' \}/g, "$1?raw'"), map: null },
};
