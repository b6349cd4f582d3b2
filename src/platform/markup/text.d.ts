/** Guides and what they hold are imported as text (wrangler.toml, `[[rules]]`). */
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.js' {
  const text: string;
  export default text;
}
/** Before the first build: `scripts/build.ts` writes it. */
declare module '*/dist/names.json' {
  const names: Record<'manage.css' | 'manage.js' | 'outside.css', string>;
  export default names;
}
