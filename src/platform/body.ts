import { joinBytes } from './bytes';
import { AppError } from './errors';

/**
 * An isolate has 128 MB for everything, and a body costs several times its size while it is parsed and decoded:
 * so many bytes of bodies are admitted at a time, the rest waits outside.
 */
const ADMITTED_BYTES_MAX = 24 * 1024 * 1024;
let admittedBytes = 0;

export interface Body {
  bytes: Uint8Array;
  /** Gives the body's memory back to the isolate's allowance. Call it once the body is no longer needed. */
  release: () => void;
}

/**
 * Reads a body up to a limit. A `Content-Length` over the limit is refused at once and the body left alone:
 * cancelling it would break the connection before the answer arrives.
 * @throws AppError `body_too_large`, `busy` (with Retry-After), `body_incomplete`
 */
export async function readBody(request: Request, limitBytes: number): Promise<Body> {
  const declared = declaredBytes(request);
  if (declared > limitBytes) throw tooLarge(limitBytes);
  let held = 0;
  const release = () => {
    admittedBytes -= held;
    held = 0;
  };
  const admit = (count: number) => {
    if (admittedBytes + count > ADMITTED_BYTES_MAX) throw busy();
    admittedBytes += count;
    held += count;
  };
  try {
    admit(declared);
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of chunksOf(request)) {
      size += chunk.length;
      if (size > limitBytes) throw tooLarge(limitBytes);
      if (size > held) admit(size - held);
      chunks.push(chunk);
    }
    return { bytes: joinBytes(chunks, size), release };
  } catch (error) {
    release();
    throw error instanceof AppError
      ? error
      : new AppError('invalid', 'body_incomplete', 'The body ended early. Send it again.');
  }
}

/** RFC 9110 §8.6; anything but digits counts as undeclared and must not reach the isolate's count. */
function declaredBytes(request: Request): number {
  const header = request.headers.get('Content-Length') ?? '';
  return /^\d+$/.test(header) ? Number(header) : 0;
}

async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  if (!request.body) return;
  const reader = request.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function tooLarge(limitBytes: number): AppError {
  return new AppError('too_large', 'body_too_large', `The body may hold ${limitBytes} bytes at most.`);
}

function busy(): AppError {
  return new AppError('rate_limited', 'busy', 'Many large requests are under way. Send this one again in a second.', {
    headers: { 'Retry-After': '1' },
  });
}
