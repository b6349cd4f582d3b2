import { env } from 'cloudflare:workers';
import { expect, vi } from 'vitest';
import { everywhere, json, type Pharmacy } from './world';

/** A problem document (RFC 9457) as this service writes it. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  instance: string;
  code: string;
  request_id: string;
  errors?: { pointer: string; code: string; message: string }[];
  [extension: string]: unknown;
}

/** The problem document of an answer, which must have this status and code, and the one shape that all of them have. */
export async function problemOf(response: Response, status: number, code: string): Promise<Problem> {
  const problem = await response.json<Problem>();
  expect({ status: response.status, code: problem.code }).toEqual({ status, code });
  expect(response.headers.get('Content-Type')).toBe('application/problem+json');
  expect(response.headers.get('X-Request-Id')).toBe(problem.request_id);
  expect(problem).toMatchObject({
    type: expect.stringMatching(new RegExp(`^http://localhost:8787/docs/errors#${code}$`)),
    title: expect.stringMatching(/^[A-Z]/),
    status,
    detail: expect.stringMatching(/\.$/),
    instance: expect.stringMatching(/^\/[^?]*$/),
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  return problem;
}

/** A problem document without what differs from one request to the next. */
export function withoutRequestId(problem: Problem): Omit<Problem, 'request_id'> {
  const { request_id: _, ...rest } = problem;
  return rest;
}

type Batch = () => Promise<D1Result[]>;

/** D1 whose batches the test can observe and replace; `trip` counts them from 1. */
export function doctoredDb(
  onBatch: (trip: number, send: Batch) => Promise<D1Result[]>,
  db: D1Database = env.DB,
): D1Database {
  let trip = 0;
  return {
    prepare: (query: string) => db.prepare(query),
    batch: (statements: D1PreparedStatement[]) => {
      trip += 1;
      return onBatch(trip, () => db.batch(statements));
    },
  } as unknown as D1Database;
}

export interface TripCost {
  statements: number;
  rowsWritten: number;
}

/** D1 that keeps what each batch cost. */
export function meteredDb(): { DB: D1Database; trips: TripCost[] } {
  const trips: TripCost[] = [];
  const DB = doctoredDb(async (_, send) => {
    const results = await send();
    trips.push({
      statements: results.length,
      rowsWritten: results.reduce((sum, { meta }) => sum + meta.rows_written, 0),
    });
    return results;
  });
  return { DB, trips };
}

/** R2 that keeps the keys of what is put, but what the checks note. */
export function watchedFiles(): { FILES: R2Bucket; keys: string[] } {
  const keys: string[] = [];
  const FILES = {
    put: (key: string, value: ArrayBufferView, options: R2PutOptions) => {
      // Not what operating leaves there.
      if (!key.startsWith('operations/')) keys.push(key);
      return env.FILES.put(key, value, options);
    },
  } as unknown as R2Bucket;
  return { FILES, keys };
}

/** What the connector may leave behind for an organization. */
export async function stored(orgId: string) {
  const count = async (table: string) => {
    const counts = await everywhere<{ n: number }>(`select count(*) as n from ${table} where org_id = ?`, orgId);
    return counts.reduce((sum, { n }) => sum + n, 0);
  };
  return {
    requests: await count('order_requests'),
    prescriptions: await count('prescriptions'),
    events: await count('events'),
    deliveries: await count('deliveries'),
  };
}

export const NOTHING = { requests: 0, prescriptions: 0, events: 0, deliveries: 0 };

/** The request behind an answer with 200. */
export async function accepted(response: Response) {
  const body = await response.json<Accepted>();
  expect({ status: response.status, ...(response.status !== 200 && body) }).toEqual({ status: 200 });
  return body;
}

export interface Accepted {
  id: string;
  status: string;
  message: string;
  external_reference: string | null;
  warnings: { code: string; message: string; pointer?: string }[];
}

/** Keeps every log line until the test ends instead of printing it. */
export function captureLogs(): { lines: string[]; requests: () => Record<string, unknown>[] } {
  const lines: string[] = [];
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      lines.push(parts.map(String).join(' '));
    });
  }
  const requests = () => lines.map((line) => JSON.parse(line)).filter(({ event }) => event === 'request');
  return { lines, requests };
}

/** A limiter that is always over its limit. */
export const EXHAUSTED = { limit: async () => ({ success: false }) } as unknown as RateLimit;

let lastAddress = Math.floor(Math.random() * 2 ** 24);

/** A caller's address that no other test has: addresses that failed too often are remembered in the isolate. */
export function freshAddress(): string {
  lastAddress += 1;
  return `10.${(lastAddress >> 16) & 255}.${(lastAddress >> 8) & 255}.${lastAddress & 255}`;
}

/** A submission with the body as text, for what `JSON.stringify` would not write. */
export function raw(pharmacy: Pharmacy, body: BodyInit | null, headers: Record<string, string> = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', apikey: pharmacy.integrationKey, ...headers },
    body,
  };
}

/** A submission as `submit` makes it, with headers added. */
export function signed(pharmacy: Pharmacy, body: unknown, headers: Record<string, string> = {}): RequestInit {
  return json(body, { apikey: pharmacy.integrationKey, ...headers });
}
