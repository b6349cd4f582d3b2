/** Guides and the receiver kit of the reference are imported as text (scripts/build.ts). */
declare module '*.js' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
/** Before the first build: `scripts/build.ts` writes it. */
declare module '*/dist/names.json' {
  const names: Record<'docs.css' | 'docs.js' | 'manage.css' | 'manage.js' | 'outside.css', string>;
  export default names;
}
