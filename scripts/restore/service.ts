import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '../errors.ts';
import { request } from '../http.ts';

/** A database that was just restored answers 503 for some seconds. */
const TRIES_MAX = 10;
const WAIT_MS = 3_000;
const TIMEOUT_MS = 120_000;

/** The operator API of the service whose databases are restored. Every call may be sent again. */
export type CallService = <T>(method: string, path: string, body?: unknown) => Promise<T>;

/** @throws StartError when the service refuses, or does not answer for half a minute */
export function serviceAt(baseUrl: string, token: string, waitMs = WAIT_MS): CallService {
  return async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const url = `${baseUrl}/api/operator/v1${path}`;
    const init = {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let last = 'no answer';
    for (let tried = 0; tried < TRIES_MAX; tried += 1) {
      if (tried > 0) await delay(waitMs);
      const answer = await request(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => null);
      const text = await answer?.text();
      // SAFETY: the members are those of docs/operator-api.md.
      if (answer?.ok) return JSON.parse(text ?? '') as T;
      last = answer ? `${answer.status} ${text}` : 'no answer';
      if (answer && answer.status < 500 && answer.status !== 429) break;
    }
    throw new StartError(`${method} ${url} failed: ${last}\nRun the same command again: it goes on where it stopped.`);
  };
}

/** Sends a call until there is no `next_cursor`. @param page takes each answer */
export async function eachPage<T extends { next_cursor: string | null }>(
  send: (cursor: string | null) => Promise<T>,
  page: (answer: T) => void,
): Promise<void> {
  let cursor: string | null = null;
  do {
    const answer: T = await send(cursor);
    page(answer);
    cursor = answer.next_cursor;
  } while (cursor !== null);
}
