import { vi } from 'vitest';
import { doctoredDb } from './probe';

/** One call to the outside world, as it would have gone over the wire. */
export interface Call {
  url: string;
  method: string;
  headers: Headers;
  bytes: Uint8Array;
  text: string;
  init: RequestInit;
}

type Answer = (call: Call, count: number) => Response | Promise<Response>;

/** Stands in for everything outside. `vi.restoreAllMocks()` ends it. @returns the calls, in order of their start */
export function outsideAnswers(answer: Answer = () => new Response(null, { status: 204 })): Call[] {
  const calls: Call[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init = {}) => {
    const { signal: _, ...sent } = init;
    const request = new Request(String(input), sent);
    const bytes = new Uint8Array(await request.arrayBuffer());
    const call: Call = {
      url: String(input),
      method: request.method,
      headers: request.headers,
      bytes,
      text: new TextDecoder().decode(bytes),
      init: init as RequestInit,
    };
    calls.push(call);
    return answer(call, calls.length);
  });
  return calls;
}

/** An answer body that never ends: one chunk after another for as long as somebody reads. */
export function endlessBody(chunk: Uint8Array): { stream: ReadableStream<Uint8Array>; readBytes: () => number } {
  let read = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      read += chunk.length;
      controller.enqueue(chunk);
    },
  });
  return { stream, readBytes: () => read };
}

/** What D1 says when it is down, in words that are not on its list of errors that may be sent again. */
export function d1Down(): Error {
  return new Error('D1_ERROR: internal error; reference = 0');
}

/** A database that nobody can reach any more after so many batches. */
export function databaseDown(after = 0): D1Database {
  return doctoredDb((trip, send) => (trip <= after ? send() : Promise.reject(d1Down())));
}
