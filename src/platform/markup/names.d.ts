/** Before the first build: `scripts/build.ts` writes it. */
declare module '*/dist/names.json' {
  const names: Record<
    'docs.css' | 'docs.js' | 'manage.css' | 'manage.js' | 'outside.css' | 'pdfjs' | 'viewer.css' | 'viewer.js',
    string
  >;
  export default names;
}
