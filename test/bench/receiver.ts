/**
 * The receiver of webhooks, a process of its own: notes when each arrives and answers 204 at once. Below `/hole/` it takes
 * the request and never answers, until told to let go; from then on it answers 410, so that the sender gives up.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { nowMs } from './clock.ts';

/** What the parent process asks for. */
export type Command =
  | { kind: 'begin'; prefix: string }
  | { kind: 'collect'; count: number; timeoutMs: number }
  | { kind: 'release' };

export type Reply = { kind: 'listening'; port: number } | { kind: 'collected'; arrivals: Arrival[] };

/** The first byte of a webhook. */
export interface Arrival {
  /** Which subscriber. */
  path: string;
  /** The order request's external reference. */
  reference: string;
  /** By the clock of clock.ts. */
  at: number;
}

const REFERENCE = /"external_reference":"([^"]+)"/;

let prefix = '';
let arrivals: Arrival[] = [];
let collecting: { count: number; end: () => void } | null = null;
const held = new Set<ServerResponse>();
const holes = new Set<string>();
const released = new Set<string>();

const server = createServer(async (request, response) => {
  const at = nowMs();
  const path = request.url ?? '';
  const body = await text(request).catch(() => '');
  if (path.startsWith('/hole/')) {
    if (released.has(path)) return void response.writeHead(410).end();
    holes.add(path);
    held.add(response);
    response.once('close', () => held.delete(response));
    return;
  }
  response.writeHead(204).end();
  const reference = REFERENCE.exec(body)?.[1] ?? '';
  if (!reference.startsWith(prefix)) return;
  arrivals.push({ path, reference, at });
  if (collecting && arrivals.length >= collecting.count) collecting.end();
});

process.on('message', (command: Command) => {
  if (command.kind === 'begin') {
    prefix = command.prefix;
    arrivals = [];
  } else if (command.kind === 'release') {
    for (const path of holes) released.add(path);
    for (const response of held) response.writeHead(410).end();
  } else {
    collect(command.count, command.timeoutMs);
  }
});
// The parent has ended, however it did.
process.on('disconnect', () => process.exit());
// Ctrl-C reaches every process of the terminal: the parent decides when this one ends.
process.on('SIGINT', () => undefined);

server.listen(0, '127.0.0.1', () => {
  // SAFETY: a server that listens on a port has such an address.
  reply({ kind: 'listening', port: (server.address() as AddressInfo).port });
});

function collect(count: number, timeoutMs: number): void {
  const end = () => {
    clearTimeout(timer);
    collecting = null;
    reply({ kind: 'collected', arrivals });
  };
  const timer = setTimeout(end, timeoutMs);
  collecting = { count, end };
  if (arrivals.length >= count) end();
}

function reply(message: Reply): void {
  process.send?.(message);
}
