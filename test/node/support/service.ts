import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { operatorApi } from '../../../scripts/api.ts';
import type { Demo } from '../../../scripts/demo.ts';
import { type Answer, post } from '../../../scripts/http.ts';
import { alive, familyOf, kill } from './processes.ts';
import { until } from './until.ts';

export { type Answer, post };

const ROOT = resolve(import.meta.dirname, '../../..');
// A bound for a hang: beside the other tests a start takes several times as long as alone.
const START_TIMEOUT_MS = 110_000;
const GONE_TIMEOUT_MS = 30_000;
/**
 * Beneath the ports that systems give to connections and to whoever asks for any port: while a service is down, nobody
 * else comes to the one that it is started on again.
 */
const PORTS = { first: 11_000, last: 32_000 };

/** The real service, as `npm start` runs it, with a state directory of its own. */
export class Service {
  output = '';
  readonly port: number;
  readonly dir: string;
  /** Where a debugger of V8 connects; 0: at a port that nobody knows. */
  readonly inspectorPort: number;
  /** What it is started with beside the environment of the tests. */
  readonly env: Record<string, string> = {};
  private child: ChildProcess | undefined;

  constructor(port: number, dir: string, inspectorPort = 0) {
    this.port = port;
    this.dir = dir;
    this.inspectorPort = inspectorPort;
  }

  get demoPath(): string {
    return join(this.dir, 'demo.json');
  }

  get demo(): Demo {
    return JSON.parse(readFileSync(this.demoPath, 'utf8'));
  }

  /** The card's curl: its address, its headers and its body. */
  get curl() {
    const [, url = '', headers = '', body = ''] =
      /^curl -sS (\S+) \\\n([\s\S]*?)^ +-d '(.*)'$/m.exec(this.output) ?? [];
    const sent = [...headers.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value]);
    return { url, headers: Object.fromEntries(sent) as Record<string, string>, body };
  }

  /** Runs the script to its card. */
  async start(...args: string[]): Promise<this> {
    this.output = '';
    const child = this.spawn(args);
    const isReady = () => child.exitCode !== null || this.output.includes('Submit an order request');
    await until(isReady, () => `no card yet:\n${this.output}`, START_TIMEOUT_MS);
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}:\n${this.output}`);
    return this;
  }

  /** Runs the script to its end. @returns its exit code */
  async runToEnd(...args: string[]): Promise<number | null> {
    this.output = '';
    const [code] = await once(this.spawn(args), 'close');
    return code;
  }

  /** Asks it to end, and waits for the last of its processes. @returns its exit code */
  async stop(): Promise<number | null> {
    const family = this.family();
    const ended = once(this.running(), 'exit');
    this.running().kill('SIGTERM');
    const [code] = await ended;
    await gone(family);
    return code;
  }

  /** Kills all processes at once, like a power failure. They are looked up before, so that none has time to react. */
  async cutPower(family: readonly number[]): Promise<void> {
    kill(family);
    await gone(family);
  }

  /** The process that fires the cron. */
  get pid(): number {
    return this.running().pid ?? 0;
  }

  family(): number[] {
    return familyOf(this.pid);
  }

  /** After the tests, whatever became of them. */
  destroy(): void {
    if (this.child?.exitCode === null && this.child.pid) kill(familyOf(this.child.pid));
  }

  /** A call of the operator API. @returns the parsed answer */
  async operate<T = Record<string, string>>(path: string, body: unknown): Promise<T> {
    const { base_url, operator_token } = this.demo;
    return operatorApi(base_url, operator_token)('POST', path, body);
  }

  private running(): ChildProcess {
    if (this.child?.exitCode !== null) throw new Error('It does not run.');
    return this.child;
  }

  private spawn(args: string[] = []): ChildProcess {
    const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts'), ...args], {
      env: {
        ...process.env,
        PORT: String(this.port),
        INSPECTOR_PORT: String(this.inspectorPort),
        OFFIZIN_STATE_DIR: this.dir,
        DEMO_WEBHOOK_URL: '',
        ...this.env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        this.output += chunk;
      });
    }
    this.child = child;
    return child;
  }
}

/** Starts a service with new data for as long as the work takes, and removes all of it whatever becomes of the work. */
export async function withService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-service-'));
  const service = new Service(await freePort(), dir, await freePort());
  const end = () => {
    service.destroy();
    rmSync(dir, { recursive: true, force: true });
  };
  process.once('exit', end);
  try {
    await service.start();
    return await work(service);
  } finally {
    process.off('exit', end);
    end();
  }
}

/** The bundler ends last and by itself, after its parent has ended. */
async function gone(family: readonly number[]): Promise<void> {
  await until(
    () => alive(family).length === 0,
    () => `still running: ${alive(family)}`,
    GONE_TIMEOUT_MS,
  );
}

/** A port that is free together with the next one, where the service's own receiver listens. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(PORTS.first, PORTS.last);
    if ((await isFree(port)) && (await isFree(port + 1))) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isFree) await once(server.close(), 'close');
  return isFree;
}
