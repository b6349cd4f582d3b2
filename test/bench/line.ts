import { Agent } from 'node:http';
import { type Answer, exchange, type Sent } from '../../scripts/http.ts';

/** A bound for a hang. */
const ANSWER_MS_MAX = 60_000;

/** Sends to the loopback address, whatever host the request names, over connections that stay open. */
export class Line {
  private readonly agent = new Agent({ keepAlive: true });
  private readonly port: number;

  constructor(port: number) {
    this.port = port;
  }

  /** @throws Error when there is no answer */
  async send(sent: Sent): Promise<Answer> {
    try {
      return await this.trySending(sent);
    } catch (error) {
      // The service may close an idle connection in the moment in which it is used again.
      if (!(error instanceof Error && 'code' in error && error.code === 'ECONNRESET')) throw error;
      return this.trySending(sent);
    }
  }

  close(): void {
    this.agent.destroy();
  }

  private trySending(sent: Sent): Promise<Answer> {
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    return exchange(this.port, { ...sent, host: `${sent.host}:${this.port}` }, { agent: this.agent, signal });
  }
}
