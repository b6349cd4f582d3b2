import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Arrival, Command, Reply } from './receiver.ts';

/** The receiver's process, as the bench uses it. It ends with this process. */
export class Subscribers {
  private readonly child: ChildProcess;
  private readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  static async start(): Promise<Subscribers> {
    const child = fork(join(import.meta.dirname, 'receiver.ts'));
    // Nothing would arrive any more, and the bench would wait for it.
    child.once('exit', (code) => {
      throw new Error(`The receiver ended by itself (${code}).`);
    });
    const [reply] = (await once(child, 'message')) as [Reply];
    if (reply.kind !== 'listening') throw new Error('The receiver did not start.');
    return new Subscribers(child, reply.port);
  }

  /** @param path below `/hole/`: never answered */
  url(path: string): string {
    return `http://127.0.0.1:${this.port}${path}`;
  }

  /** From now on only references with this prefix are noted. */
  begin(prefix: string): void {
    this.send({ kind: 'begin', prefix });
  }

  /** What has arrived since `begin`, once it is as much as expected or the time is up. */
  async collect(count: number, timeoutMs: number): Promise<Arrival[]> {
    const replied = once(this.child, 'message') as Promise<[Reply]>;
    this.send({ kind: 'collect', count, timeoutMs });
    const [reply] = await replied;
    return reply.kind === 'collected' ? reply.arrivals : [];
  }

  /** Ends what hangs: every subscriber that has not answered until now answers 410 from now on. */
  release(): void {
    this.send({ kind: 'release' });
  }

  private send(command: Command): void {
    this.child.send(command);
  }
}
