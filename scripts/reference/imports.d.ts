/** Guides and the receiver kit of the reference are imported as text (scripts/build.ts). */
declare module '*.js' {
  const text: string;
  export default text;
}
declare module '*.md' {
  const text: string;
  export default text;
}
