/** Page scripts and style sheets are imported as text (wrangler.toml, `[[rules]]`). */
declare module '*.css' {
  const text: string;
  export default text;
}
declare module '*.js' {
  const text: string;
  export default text;
}
