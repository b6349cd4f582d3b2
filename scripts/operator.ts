import { setTimeout as delay } from 'node:timers/promises';
import { readDemo } from './demo.ts';
import { StartError } from './errors.ts';

const RETRY_MS = 2_000;
/** The number of failed tries after which the script ends: about a minute. If it is started again, it continues. */
const FAILURES_MAX = 30;

/** Calls the operator API for scripts. Every call may be repeated. */
export class Operator {
  private readonly base: string;
  private readonly token: string;
  private readonly waitMs: number;

  /**
   * By default, uses BASE_URL and OPERATOR_TOKEN, or else the local service. @throws StartError without an address or a
   * token
   */
  constructor(
    baseUrl = process.env.BASE_URL || readDemo()?.base_url,
    token = process.env.OPERATOR_TOKEN || readDemo()?.operator_token,
    waitMs = RETRY_MS,
  ) {
    if (!baseUrl) throw new StartError('Set BASE_URL, or start the local service once.');
    if (!token) throw new StartError('Set OPERATOR_TOKEN: a token of the service with the scope restore.');
    this.base = `${baseUrl}/api/operator/v1`;
    this.token = token;
    this.waitMs = waitMs;
  }

  /** Makes a call and parses the answer. @param body sent as JSON; bytes are sent as they are */
  readonly call: Call = async <T>(method: string, path: string, body?: object) =>
    (await (await this.send(method, path, body)).json()) as T;

  /** Makes a call. @throws StartError if the service refuses the call, or cannot be reached for a minute */
  async send(method: string, path: string, body?: object): Promise<Response> {
    const isJson = body !== undefined && !(body instanceof Uint8Array);
    const headers = { Authorization: `Bearer ${this.token}`, ...(isJson && { 'Content-Type': 'application/json' }) };
    const sent = isJson ? JSON.stringify(body) : body && new Uint8Array(body as Uint8Array);
    for (let failures = 1; ; failures += 1) {
      // Keep-alive is needed: if the service closes the connection while a file is read more slowly than it arrives,
      // Node's fetch ends the process (nodejs/undici#5360).
      const answer = await fetch(this.base + path, { method, headers, body: sent ?? null }).catch(() => null);
      if (answer?.ok) return answer;
      const said = answer ? `${answer.status} ${await answer.text()}` : 'no answer';
      if ((answer && answer.status < 500 && answer.status !== 429) || failures > FAILURES_MAX)
        throw new StartError(
          `${method} ${path} failed: ${said}\nRun the same command again: it goes on, or says from when on it can.`,
        );
      await delay(this.waitMs);
    }
  }
}

export type Call = <T>(method: string, path: string, body?: object) => Promise<T>;
