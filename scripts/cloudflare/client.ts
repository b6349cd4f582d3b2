import { again } from '../again.ts';
import { StartError } from '../errors.ts';
import { jsonOrNothing } from '../http.ts';

const BASE_URL = 'https://api.cloudflare.com/client/v4';
const TIMEOUT_MS = 60_000;
const PAGE = 50;

/** The permission that a token needs for a call, by the path of the call. The first pattern that matches counts. */
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
  /** Without a token, nothing is sent: reads return nothing, and writes are only printed. */
  token: string | undefined;
  accountId: string | undefined;
  /** The base URL of the API, from `CLOUDFLARE_API_BASE_URL`, which wrangler uses too. */
  baseUrl?: string | undefined;
  /** Whether to send only reads, and to print writes instead of sending them. */
  isDryRun: boolean;
  say: (line: string) => void;
  wait: (ms: number) => Promise<void>;
}

/**
 * Thrown for an answer that is not a success. The message has the call, the status and Cloudflare's codes. It never has
 * the body that was sent.
 */
export class CloudflareError extends StartError {}

/**
 * Cloudflare's REST API, for everything that deployments read, create or compare. wrangler does the rest: bundles,
 * versions, triggers and migrations.
 */
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
   * Sends a GET.
   * @returns the result; null for 404, or if nothing was sent
   * @throws CloudflareError for any other status that is not a success
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
   * Sends a call that changes something. A dry run prints the call instead.
   * @param would the result that a dry run continues with
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

  /**
   * Sends a call, and repeats it if Cloudflare cannot answer at the moment. POST and PATCH are repeated only after 429,
   * because Cloudflare may have carried them out in all other cases.
   */
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
    // SAFETY: all members are optional, and an answer in another form has none of them.
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
