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
  /** The status of the answer; none while there is none. */
  status?: number;
  /** When the connection was closed before an answer was given; epoch ms. */
  cutAt?: number;
}

interface Answer {
  status: number;
  headers?: Record<string, string>;
}

/** The response to the n-th post of a path, counted from 1; null: never answer. */
type Answering = (n: number, post: Post) => Answer | null;

const always200: Answering = () => ({ status: 200 });

/** A subscriber's server: stores every post, and answers 200 unless another response is set for the path. */
export class Catcher {
  readonly posts: Post[] = [];
  private readonly orders = new Map<string, Answering>();
  private verified = 0;
  private readonly counts = new Map<string, number>();
  private readonly server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    const body = await text(request).catch(() => null);
    // The sender ended in the middle of it.
    if (body === null) return;
    const post: Post = { path, receivedAt: Date.now(), headers, body };
    this.posts.push(post);
    const n = (this.counts.get(path) ?? 0) + 1;
    this.counts.set(path, n);
    const answer = (this.orders.get(path) ?? always200)(n, post);
    if (answer) {
      post.status = answer.status;
      response.writeHead(answer.status, answer.headers).end();
    } else response.once('close', () => Object.assign(post, { cutAt: Date.now() }));
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

  /**
   * Verifies what has come since the last call with every public library; signatures are only good for five minutes.
   * @param subscribers whose posts these are, by the URL of each
   * @throws Error for the first post that a library does not accept
   */
  async verifyArrived(subscribers: readonly { url: string; secret: string }[]): Promise<void> {
    const secrets = new Map(subscribers.map(({ url, secret }) => [new URL(url).pathname, secret]));
    for (; this.verified < this.posts.length; this.verified += 1) {
      const [post] = this.posts.slice(this.verified, this.verified + 1);
      if (post) await verifyWithEveryLibrary(post, secrets.get(post.path) ?? '');
    }
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
