import { once } from 'node:events';

const ANSWER_TIMEOUT_MS = 60_000;

interface Answer {
  id?: number;
  result?: { usedSize?: number };
  error?: { message: string };
}

/**
 * The JavaScript heap of the Worker in bytes, after a garbage collection: what it holds on to.
 * @param port the service's INSPECTOR_PORT
 */
export async function heapInUse(port: number): Promise<number> {
  // SAFETY: Node's WebSocket takes headers too; wrangler's inspector asks for an origin.
  const options = { headers: { Origin: 'http://localhost' } } as unknown as string[];
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, options);
  await once(socket, 'open', { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
  try {
    await ask(socket, 1, 'HeapProfiler.collectGarbage');
    const { usedSize } = await ask(socket, 2, 'Runtime.getHeapUsage');
    if (!usedSize) throw new Error('The inspector told no size of the heap.');
    return usedSize;
  } finally {
    socket.close();
  }
}

function ask(socket: WebSocket, id: number, method: string): Promise<{ usedSize?: number }> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), ANSWER_TIMEOUT_MS);
    socket.addEventListener('message', ({ data }) => {
      const answer = JSON.parse(String(data)) as Answer;
      if (answer.id !== id) return;
      clearTimeout(timer);
      if (answer.result) resolve(answer.result);
      else reject(new Error(`${method}: ${answer.error?.message}`));
    });
    socket.send(JSON.stringify({ id, method }));
  });
}
