import { again } from '../again.ts';
import { StartError } from '../errors.ts';
import { jsonOrNothing } from '../http.ts';

const BASE_URL = 'https://api.cloudflare.com/client/v4';
const TIMEOUT_MS = 60_000;
const PAGE = 50;

/** What a call is refused for when the token lacks it, by the path of the call; the first that fits. */
const PERMISSIONS: readonly [path: RegExp, permission: string][] = [
  [/\/d1\//, 'Account › D1 › Edit'],
  [/\/r2\//, 'Account › Workers R2 Storage › Edit'],
  [/\/queues/, 'Account › Queues › Edit'],
  [/\/dns_records/, 'Zone › DNS › Edit'],
  [/\/custom_hostnames/, 'Zone › SSL and Certificates › Edit'],
  [/^\/zones\/[^/]+\/workers\/routes/, 'Zone › Workers Routes › Edit'],
  [/^\/zones\/[^/]+\/settings/, 'Zone › Zone Settings › Read'],
  [/^\/zones\/[^/]+\/bot_management/, 'Zone › Bot Management › Read'],
  [/^\/zones/, 'Zone › Zone › Read'],
  [/\/workers\//, 'Account › Workers Scripts › Edit'],
  [/^\/accounts\/[^/]+$/, 'Account › Account Settings › Read'],
];

interface Envelope {
  success?: boolean;
  errors?: { code?: number; message?: string }[];
  result?: unknown;
  result_info?: { total_pages?: number };
}

export interface CloudflareOptions {
  /** Without it nothing is sent: reads find nothing, and writes are only said. */
  token: string | undefined;
  accountId: string | undefined;
  /** Of the API; `CLOUDFLARE_API_BASE_URL`, which wrangler honors too. */
  baseUrl?: string | undefined;
  /** Reads, and says what it would write. */
  isDryRun: boolean;
  say: (line: string) => void;
  wait: (ms: number) => Promise<void>;
}

/** An answer that is no success. Its message names call, status and Cloudflare's codes, and never the body that was sent. */
export class CloudflareError extends StartError {}

/** Cloudflare's REST API, for what is read, created or compared. Bundles, versions, triggers and migrations are wrangler's. */
export class Cloudflare {
  readonly isDryRun: boolean;
  /** Whether reads are sent: a dry run without a token finds nothing. */
  readonly isReading: boolean;
  /** The path of the account. */
  readonly account: string;
  readonly #options: CloudflareOptions;

  constructor(options: CloudflareOptions) {
    const { token, accountId, isDryRun } = options;
    if (!isDryRun && !token)
      throw new StartError('Set CLOUDFLARE_API_TOKEN (docs/deploying.md names its permissions).');
    if (!isDryRun && !accountId) throw new StartError('Set CLOUDFLARE_ACCOUNT_ID.');
    this.isDryRun = isDryRun;
    this.isReading = Boolean(token && accountId);
    this.account = `/accounts/${accountId ?? '{CLOUDFLARE_ACCOUNT_ID}'}`;
    this.#options = options;
  }

  /**
   * @returns the result of a GET, or null for 404 and where nothing is read
   * @throws CloudflareError for any other answer
   */
  async read<T>(path: string, headers: Record<string, string> = {}): Promise<T | null> {
    const answer = await this.#get(path, headers);
    // SAFETY: the caller names the members that it reads; Cloudflare's documentation has them.
    return (answer?.result ?? null) as T | null;
  }

  /** All pages of a list. @param path may have a query */
  async list<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; ; page += 1) {
      const answer = await this.#get(`${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=${PAGE}`);
      // SAFETY: as in `read`.
      found.push(...((answer?.result ?? []) as T[]));
      if (page >= (answer?.result_info?.total_pages ?? 1)) return found;
    }
  }

  /**
   * Sends what changes something; a dry run says it instead. @param would what a dry run goes on with
   * @throws CloudflareError
   */
  async write<T>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: unknown,
    would: T,
    headers: Record<string, string> = {},
  ): Promise<T> {
    if (this.isDryRun) {
      const named = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
      this.#options.say(
        `would  ${method} ${path}${named.join('')} ${body === undefined ? '' : JSON.stringify(body)}`.trimEnd(),
      );
      return would;
    }
    const { status, answer } = await this.#send(method, path, headers, body);
    if (status > 299 || answer.success === false) throw this.#refused(method, path, status, answer);
    // SAFETY: as in `read`.
    return answer.result as T;
  }

  async #get(path: string, headers: Record<string, string> = {}): Promise<Envelope | null> {
    if (this.isDryRun) {
      const named = Object.entries(headers).map(([name, value]) => ` ${name}: ${value}`);
      this.#options.say(`${this.isReading ? 'read   ' : 'unread '}GET ${path}${named.join('')}`);
    }
    if (!this.isReading || path.includes('{')) return null;
    const { status, answer } = await this.#send('GET', path, headers);
    if (status === 404) return null;
    if (status > 299 || answer.success === false) throw this.#refused('GET', path, status, answer);
    return answer;
  }

  /** Again, where Cloudflare cannot answer for the moment; what may have been carried out and would be twice is sent once. */
  async #send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const isRepeatable = method !== 'POST' && method !== 'PATCH';
    return await again(
      () => this.#sendOnce(method, path, headers, body),
      (answer) => answer?.status === 429 || (isRepeatable && (answer === null || answer.status >= 500)),
      this.#options.wait,
    );
  }

  async #sendOnce(method: string, path: string, headers: Record<string, string>, body?: unknown) {
    const { baseUrl = BASE_URL, token } = this.#options;
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch(() => {
      throw new StartError(`${method} ${path}: no answer. Run the same command again: it goes on where it stopped.`);
    });
    const text = await response.text();
    // SAFETY: what is no object of this shape has none of its members.
    const answer = (jsonOrNothing(text) ?? {}) as Envelope;
    return { status: response.status, answer };
  }

  #refused(method: string, path: string, status: number, { errors = [] }: Envelope): CloudflareError {
    const why = errors.map(({ code, message }) => `${message ?? 'no message'} (${code ?? 'no code'})`).join('; ');
    const missing = PERMISSIONS.find(([fits]) => fits.test(path))?.[1];
    const advice =
      status === 401
        ? ' Cloudflare does not know this token: check CLOUDFLARE_API_TOKEN.'
        : status === 403
          ? ` The token lacks a permission${missing ? `: give it "${missing}"` : ''}, for this account and both zones, and run the same command again.`
          : '';
    return new CloudflareError(`${method} ${path} was answered with ${status}: ${why || 'no reason given'}.${advice}`);
  }
}
