import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './errors.ts';
import { request } from './http.ts';

const EVERY_MS = 2_000;

/**
 * Fires the Worker's cron again and again, because `wrangler dev` never does.
 * @returns a promise that resolves after the signal, and rejects if the handler fails
 */
export async function keepCronRunning(baseUrl: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await fire(`${baseUrl}/cdn-cgi/handler/scheduled`, signal);
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function fire(url: string, signal: AbortSignal): Promise<void> {
  try {
    const answer = await request(url, { signal });
    const text = await answer.text();
    if (answer.status !== 200) throw new StartError(`Cron failed: ${url} answered ${answer.status} ${text}`);
  } catch (error) {
    // A service that is being stopped refuses the request.
    if (signal.aborted) return;
    if (error instanceof StartError) throw error;
    throw new StartError(`Cron failed: ${url} cannot be reached.`, { cause: error });
  }
}
