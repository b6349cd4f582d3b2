/** Number of bytes in a block of a tar archive. A header is one block. */
const BLOCK = 512;

/** The two blocks of zeros with which an archive ends. */
export const TAR_END = new Uint8Array(2 * BLOCK);

/** Number of zero bytes that follow a file of this size. */
export function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

/** Number of bytes that a file of this size takes in an archive, with header and padding. */
export function entrySize(size: number): number {
  return BLOCK + size + paddingOf(size);
}

/** The header of a file in a tar archive (POSIX ustar). @param name at most 100 ASCII characters */
export function tarHeader(name: string, size: number): Uint8Array {
  const header = new Uint8Array(BLOCK);
  const put = (text: string, at: number) => header.set(new TextEncoder().encode(text), at);
  put(name, 0);
  put('0000600\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  put('        ', 148);
  put('0', 156);
  put('ustar\u000000', 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** A tar archive of files in memory. */
export function tarOf(files: readonly { name: string; bytes: Uint8Array }[]): Uint8Array<ArrayBuffer> {
  const total = files.reduce((sum, { bytes }) => sum + entrySize(bytes.length), TAR_END.length);
  const archive = new Uint8Array(total);
  let at = 0;
  for (const { name, bytes } of files) {
    archive.set(tarHeader(name, bytes.length), at);
    archive.set(bytes, at + BLOCK);
    at += entrySize(bytes.length);
  }
  return archive;
}

/** The files in an archive in memory, by name. */
export function filesOf(archive: Uint8Array): Map<string, Uint8Array<ArrayBuffer>> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  for (let at = 0; archive[at]; ) {
    const header = new TextDecoder('latin1').decode(archive.subarray(at, at + BLOCK));
    const size = Number.parseInt(header.slice(124, 135), 8);
    found.set(header.slice(0, 100).replace(/\0.*$/s, ''), archive.slice(at + BLOCK, at + BLOCK + size));
    at += entrySize(size);
  }
  return found;
}
