import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { generateX25519Identity } from 'age-encryption';
import type { AskService } from '../../../scripts/deploy/run.ts';
import { Account, type Answer } from './cloudflare-account.ts';
import { Deployed } from './deployed.ts';

const ACCOUNT_ID = 'acc0';
const TOKEN = 'cloudflare-token-of-the-test';
const API = '/client/v4';

/** Where a deployment is killed: with which of its requests, and whether that is still carried out. */
export interface Kill {
  request: number;
  isCarriedOut: boolean;
}

/** Stands in for Cloudflare's API and for the deployed service, on loopback. */
export class Cloud {
  account = new Account(ACCOUNT_ID);
  service = new Deployed(this.account);
  /** Each request that came, `GET /…`; those of the service with its host. */
  readonly requests: string[] = [];
  /** Paths that the token may not read or write. */
  forbidden: RegExp | null = null;
  /** The first request that it fits is not carried out, and answered with this status. */
  fleeting: { fits: RegExp; status: number } | null = null;
  #kill: Kill | null = null;
  #isDead = false;
  #url = '';
  #deployKey = '';
  readonly #server = createServer((request, response) => void this.#take(request, response));

  async open(): Promise<this> {
    this.#deployKey = await generateX25519Identity();
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What the deployment is given. */
  get env(): Record<string, string> {
    return {
      CLOUDFLARE_API_TOKEN: TOKEN,
      CLOUDFLARE_ACCOUNT_ID: ACCOUNT_ID,
      CLOUDFLARE_API_BASE_URL: this.#url + API,
      DEPLOY_KEY: this.#deployKey,
      SMOKE_WEBHOOK_URL: 'https://receiver.pharmacy.example/hook',
    };
  }

  /** The next run ends at this request: from then on nothing that it sends arrives. */
  startRun(kill: Kill | null = null): void {
    this.requests.length = 0;
    this.#kill = kill;
    this.#isDead = false;
  }

  /** Whether the run came as far as to be killed. */
  get wasKilled(): boolean {
    return this.#isDead;
  }

  /** What changes something of the account. */
  get writes(): string[] {
    return this.requests.filter((request) => !/^GET |^\w+ \/service\//.test(request));
  }

  /** A request to the deployed service, whatever its host is. */
  readonly ask: AskService = async (method, url, headers, body) => {
    const { host, pathname, search } = new URL(url);
    const answer = await fetch(`${this.#url}/service/${host}${pathname}${search}`, {
      method,
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await buffer(request).catch(() => null);
    if (bytes === null || this.#isDead) return void response.destroy();
    const url = new URL(request.url ?? '', this.#url);
    this.requests.push(`${request.method} ${url.pathname.replace(API, '')}${url.search}`);
    const isLast = this.requests.length === this.#kill?.request;
    if (isLast) this.#isDead = true;
    if (isLast && !this.#kill?.isCarriedOut) return void response.destroy();
    const { fleeting } = this;
    if (fleeting?.fits.test(this.requests.at(-1) ?? '')) {
      this.fleeting = null;
      return void response.writeHead(fleeting.status).end('error code: 502');
    }
    const isService = url.pathname.startsWith('/service/');
    const answer = isService
      ? this.service.answer(request, url, bytes.toString('utf8'))
      : await this.#api(request, url, bytes);
    if (isLast) return void response.destroy();
    const { status, headers = {}, body } = answer;
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  }

  async #api(request: IncomingMessage, url: URL, bytes: Buffer) {
    const path = url.pathname.slice(API.length);
    const isEu = request.headers['cf-r2-jurisdiction'] === 'eu';
    const answer: Answer =
      request.headers.authorization !== `Bearer ${TOKEN}`
        ? { status: 401, error: { code: 10000, message: 'Authentication error' } }
        : this.forbidden?.test(`${request.method} ${path}`)
          ? { status: 403, error: { code: 10000, message: 'Authentication error' } }
          : this.account.answer(request.method ?? '', path, url.searchParams, await bodyOf(request, bytes), isEu);
    const { status, result = null, error } = answer;
    return {
      status,
      headers: {},
      body: { success: status < 300, errors: error ? [error] : [], messages: [], result, ...pagesOf(answer) },
    };
  }
}

function pagesOf({ result }: Answer) {
  return Array.isArray(result) ? { result_info: { page: 1, per_page: 50, total_pages: 1, count: result.length } } : {};
}

/** JSON; or the form that wrangler uploads a script with, as far as an account keeps it. */
async function bodyOf(request: IncomingMessage, bytes: Buffer): Promise<Record<string, unknown>> {
  const type = request.headers['content-type'] ?? '';
  if (bytes.length === 0) return {};
  if (!type.startsWith('multipart/')) return JSON.parse(bytes.toString('utf8'));
  const form = await new Response(new Uint8Array(bytes), { headers: { 'Content-Type': type } }).formData();
  const { bindings = [], annotations = {} } = JSON.parse(String(form.get('metadata')));
  const secrets = bindings.filter((binding: { type: string }) => binding.type === 'secret_text');
  const databases = bindings.filter((binding: { type: string }) => binding.type === 'd1');
  return { tag: annotations['workers/tag'], secrets: secrets.map(({ name }: { name: string }) => name), databases };
}
