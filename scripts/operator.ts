/** Calls of the operator API, by scripts: at BASE_URL (default: the local service), with OPERATOR_TOKEN (default: that of .dev.vars). */
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { StartError } from './errors.ts';
import { request } from './http.ts';
import { PATHS } from './paths.ts';
import { operatorTokenOf } from './secrets.ts';

const RETRY_MS = 2_000;
/** A service that cannot be reached for a minute ends the script; started again, it goes on. */
const FAILURES_MAX = 30;

export class Operator {
  private readonly base: string;
  private readonly token: string;

  /** @throws StartError without a token */
  constructor() {
    const local = existsSync(PATHS.secrets) ? parseEnv(readFileSync(PATHS.secrets, 'utf8')) : {};
    const token = process.env.OPERATOR_TOKEN ?? operatorTokenOf(local);
    if (!token) throw new StartError('OPERATOR_TOKEN is missing: set it, or start the local service once.');
    this.token = token;
    this.base = `${process.env.BASE_URL ?? `http://localhost:${process.env.PORT ?? '8787'}`}/api/operator/v1`;
  }

  get<T>(path: string): Promise<T> {
    return this.json(path, { method: 'GET' });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return this.json(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  put<T>(path: string, body: Uint8Array): Promise<T> {
    return this.json(path, { method: 'PUT', body: new Uint8Array(body) });
  }

  private async json<T>(path: string, init: RequestInit): Promise<T> {
    return (await (await this.send(path, init)).json()) as T;
  }

  /** The same call may be sent again. @throws StartError if the service refuses, or cannot be reached for a minute */
  async send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, Authorization: `Bearer ${this.token}` };
    for (let failures = 1; ; failures += 1) {
      const answer = await request(this.base + path, { ...init, headers }).catch(() => null);
      if (answer?.ok) return answer;
      const said = `${answer?.status ?? 'no answer'} ${(await answer?.text()) ?? ''}`;
      if ((answer && answer.status < 500) || failures > FAILURES_MAX)
        throw new StartError(`The service refused ${path}: ${said}`);
      await delay(RETRY_MS);
    }
  }
}
