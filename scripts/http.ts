import { once } from 'node:events';
import { type Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from './errors.ts';

const POLL_MS = 100;
const LOOPBACK = ['127.0.0.1', '::1'] as const;

/** Makes a request without keep-alive. On a connection that the server is just closing, the request would fail. */
export function request(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, headers: { ...init.headers, Connection: 'close' } });
}

/** Parses JSON; undefined if the text is no JSON. */
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

/** Sends a POST to the loopback address with any host name, because not every machine resolves `*.localhost`. */
export function post(url: string, headers: Record<string, string>, body: string): Promise<Answer> {
  return call('POST', url, headers, body);
}

interface CallOptions {
  agent?: Agent;
  signal?: AbortSignal;
}

/**
 * As `post`, with any method.
 * @param options without `agent`, the call has its own connection. Without `signal`, it has no time limit
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

/** A request in the form in which it is sent. */
export interface Sent {
  method: string;
  host: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** Sends a request to the loopback address, with any host name in it. The request is sent as given, without checks. */
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

/** Waits until a URL answers 200. @throws StartError if the time limit is over */
export async function waitForOk(url: string, timeoutMs: number): Promise<void> {
  const isOk = async () => {
    const answer = await request(url).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok ?? false;
  };
  await waitFor(isOk, timeoutMs, `${url} gave no 200`);
}

/** Waits until a condition is true. @throws StartError with `complaint` if the time limit is over */
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

/** @throws StartError if the port is in use */
export async function assertPortIsFree(port: number, advice: string): Promise<void> {
  for (const host of LOOPBACK) {
    if (await isTaken(port, host)) throw new StartError(`Port ${port} is taken. ${advice}`);
  }
}

/** Resolves when the port is free again, or when the time limit is over. */
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
