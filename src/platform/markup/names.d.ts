/** Before the first build: `scripts/build.ts` writes it. */
declare module '*/dist/names.json' {
  const names: Record<'docs.css' | 'docs.js' | 'manage.css' | 'manage.js' | 'outside.css', string>;
  export default names;
}
