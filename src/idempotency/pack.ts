import { fromBase64, toBase64, utf8 } from '../platform/crypto';

/** From so many characters on, which only responses of bulk commands have, compressing is worth its time. */
const LONG = 4_096;
/** A response itself begins with `{`. */
const COMPRESSED = 'gzip:';

/** A response to keep: one of a bulk command takes a tenth, and a day's worth of them would else outweigh everything else. */
export async function packed(text: string): Promise<string> {
  if (text.length < LONG) return text;
  const bytes = await through(new CompressionStream('gzip'), utf8(text)).arrayBuffer();
  return COMPRESSED + toBase64(new Uint8Array(bytes));
}

/** What `packed` was given. */
export async function unpacked(text: string): Promise<string> {
  if (!text.startsWith(COMPRESSED)) return text;
  return through(new DecompressionStream('gzip'), fromBase64(text.slice(COMPRESSED.length))).text();
}

function through(stream: CompressionStream | DecompressionStream, bytes: Uint8Array<ArrayBuffer>): Response {
  return new Response(new Blob([bytes]).stream().pipeThrough(stream));
}
