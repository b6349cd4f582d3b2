// The one function of Node's that src uses: @types/node would bring all the others, most of which Workers lack.
declare module 'node:crypto' {
  export function scrypt(
    password: Uint8Array,
    salt: Uint8Array,
    keyBytes: number,
    options: { N: number; r: number; p: number; maxmem: number },
    done: (error: Error | null, key: Uint8Array) => void,
  ): void;
}
