/** Declares the file that `scripts/build.ts` writes, because the file is missing before the first build. */
declare module '*/dist/names.json' {
  const names: Record<
    'docs.css' | 'docs.js' | 'manage.css' | 'manage.js' | 'outside.css' | 'pdfjs' | 'viewer.css' | 'viewer.js',
    string
  >;
  export default names;
}
