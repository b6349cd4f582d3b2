import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { verify } from '@octokit/webhooks-methods';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';

/** One webhook as it came. */
export interface Post {
  path: string;
  /** Epoch ms. */
  receivedAt: number;
  headers: Record<string, string>;
  body: string;
  /** When the connection was closed before an answer was given; epoch ms. */
  cutAt?: number;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
}

/** The response to the n-th post of a path, counted from 1; null: never answer. */
type Answering = (n: number) => Answer | null;

const always200: Answering = () => ({ status: 200 });

/** A subscriber's server: stores every post, and answers 200 unless another response is set for the path. */
export class Catcher {
  readonly posts: Post[] = [];
  private readonly orders = new Map<string, Answering>();
  private readonly server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const post: Post = { path, receivedAt: Date.now(), headers, body: await text(request) };
    this.posts.push(post);
    const answering = this.orders.get(path) ?? always200;
    const answer = answering(this.at(path).length);
    if (answer) response.writeHead(answer.status, answer.headers).end();
    else response.once('close', () => Object.assign(post, { cutAt: Date.now() }));
  });

  async open(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  /** The address of a path. */
  url(path: string): string {
    // SAFETY: a server that listens on a port has such an address.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  answering(path: string, answering: Answering): string {
    this.orders.set(path, answering);
    return this.url(path);
  }

  at(path: string): Post[] {
    return this.posts.filter((post) => post.path === path);
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** @throws Error of the first public library that does not accept the post */
export async function verifyWithEveryLibrary({ body, headers }: Post, secret: string): Promise<void> {
  if (!(await verify(secret, body, headers['x-service-signature'] ?? ''))) throw new Error('X-Service-Signature');
  new StandardWebhook(secret).verify(body, headers);
  new SvixWebhook(secret).verify(body, headers);
}
