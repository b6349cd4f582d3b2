import { createServer, type Server, type Socket } from 'node:net';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Ports on 127.0.0.1: one answers in whatever way the path of a request says, one refuses every connection. */
    receiverPorts: { open: number; closed: number };
  }
}

const CHUNK = `400\r\n${'a'.repeat(1024)}\r\n`;

/** What receivers do to a post, in bytes: beneath what an HTTP server would let pass. */
const WAYS: Record<string, (socket: Socket) => void> = {
  accepts: (socket) => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'),
  'never-answers': () => undefined,
  'hangs-up': (socket) => socket.destroy(),
  'resets-connection': (socket) => socket.resetAndDestroy(),
  'answers-garbage': (socket) => socket.end('220 mail.example.com ESMTP\r\n\r\n'),
  'answers-half-a-header': (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Le'),
  'hangs-after-headers': (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'),
  'hangs-after-failing-headers': (socket) => socket.write('HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nabc'),
  'resets-in-body': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    setTimeout(() => socket.resetAndDestroy(), 20);
  },
  'never-ends': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const more = () => {
      while (!socket.destroyed && socket.write(CHUNK));
    };
    socket.on('drain', more);
    more();
  },
  redirects: (socket) =>
    socket.end('HTTP/1.1 307 Elsewhere\r\nLocation: /accepts\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'),
  'answers-just-in-time': (socket) => {
    setTimeout(() => socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'), 1_500);
  },
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Starts receivers that fail beneath HTTP, for the tests in workerd. */
export default async function setup(project: TestProject): Promise<() => void> {
  const sockets = new Set<Socket>();
  const open = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (data) => {
      const way = /^POST \/([a-z-]+)/.exec(data.toString('latin1'))?.[1] ?? '';
      // What is no HTTP, as the beginning of TLS, gets an answer in plain text.
      (WAYS[way] ?? WAYS['answers-garbage'])?.(socket);
    });
  });
  const closed = createServer();
  const ports = { open: await listen(open), closed: await listen(closed) };
  closed.close();
  project.provide('receiverPorts', ports);
  return () => {
    for (const socket of sockets) socket.destroy();
    open.close();
  };
}
