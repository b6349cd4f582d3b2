// The only functions of Node.js that src uses. @types/node would also declare many functions that Workers do not have.
declare module 'node:crypto' {
  export function scrypt(
    password: Uint8Array,
    salt: Uint8Array,
    keyBytes: number,
    options: { N: number; r: number; p: number; maxmem: number },
    done: (error: Error | null, key: Uint8Array) => void,
  ): void;
}

declare module 'node:zlib' {
  /** @throws RangeError for more bytes than are allowed */
  export function inflateSync(bytes: Uint8Array, options: { maxOutputLength: number; finishFlush: number }): Uint8Array;
}

/** Declares the file that `scripts/build.ts` writes, because the file is missing before the first build. */
declare module '*/dist/names.json' {
  const names: Record<
    'docs.css' | 'docs.js' | 'manage.css' | 'manage.js' | 'outside.css' | 'pdfjs' | 'viewer.css' | 'viewer.js',
    string
  >;
  export default names;
}
