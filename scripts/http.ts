import { once } from 'node:events';
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './errors.ts';

const POLL_MS = 100;
const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** Without keep-alive: reusing a connection that the server is just closing would fail the request. */
export function request(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, Connection: 'close' } });
}

/** The value of a text; undefined for what is no JSON. */
export function jsonOrNothing(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Posts to any host name at the loopback address: not every machine resolves `*.localhost`. */
export function post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  return call('POST', url, headers, body);
}

interface CallOptions {
  agent?: Agent;
  signal?: AbortSignal;
}

/**
 * The same with any method.
 * @param options without an agent every call has a connection of its own, without a signal it has no time limit
 */
export function call(
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: string,
  options?: CallOptions,
): Promise<Answer> {
  const { host, port, pathname, search } = new URL(url);
  return exchange(Number(port), { method, host, path: pathname + search, headers, body }, options);
}

/** A request as it goes over the wire. */
export interface Sent {
  method: string;
  host: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** Sends a request to the loopback address, whatever host it names. Nothing of it is looked at or changed. */
export async function exchange(
  port: number,
  { method, host, path, headers, body }: Sent,
  { agent, signal }: CallOptions = {},
): Promise<Answer> {
  const sent = httpRequest({ host: '127.0.0.1', port, path, method, agent: agent ?? false, signal });
  for (const [name, value] of Object.entries({ ...headers, Host: host })) sent.setHeader(name, value);
  sent.end(body);
  const [answer] = await once(sent, 'response');
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** @throws StartError when nothing answers 200 in time */
export async function waitForOk(url: string, timeoutMs: number): Promise<void> {
  const isOk = async () => {
    const answer = await request(url).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  };
  await waitFor(isOk, timeoutMs, `${url} gave no 200`);
}

/** @throws StartError with the complaint when it does not come true within the time limit */
export async function waitFor(
  isTrue: () => Promise<boolean> | boolean,
  timeoutMs: number,
  complaint: string,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    if (await isTrue()) return;
    await delay(POLL_MS);
  }
  throw new StartError(`${complaint} within ${timeoutMs / 1000} s.`);
}

/** @throws StartError when the port is in use */
export async function assertPortIsFree(port: number, advice: string): Promise<void> {
  for (const host of LOOPBACK) {
    if (await isTaken(port, host)) throw new StartError(`Port ${port} is taken. ${advice}`);
  }
}

/** Resolves when the port is free again, at the latest after the time limit. */
export async function waitUntilFree(port: number, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline && (await isTaken(port, LOOPBACK[0]))) await delay(POLL_MS);
}

function isTaken(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    // A machine without IPv6 refuses `::1` with another error code.
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(false)));
  });
}
