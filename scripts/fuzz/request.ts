import { Agent } from 'node:http';
import { type Answer, exchange, type Sent as Requested } from '../http.ts';
import { jsonOf } from './strange.ts';

/** A bound for a hang. */
const ANSWER_MS_MAX = 60_000;
/** Only what may stand in a request line; everything else would be refused by Node, not by the service. */
const UNSENDABLE = /[^\u0021-\u007e]/g;

export type Pair = [name: string, value: string];

/** The fields of forms that take a file. */
export const FILE_FIELDS = ['prescription_file', 'stock_file'] as const;
/** Between the parts of a form with a file. */
export const BOUNDARY = 'fuzz-boundary';

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: Pair[] }
  | { kind: 'multipart'; fields: Pair[]; fileField: (typeof FILE_FIELDS)[number]; file: string }
  | { kind: 'text'; text: string };

/** A request, in parts that can be changed one by one. */
export interface Draft {
  method: string;
  /** Host name without the port. */
  host: string;
  /** As they go over the wire. */
  segments: string[];
  /** As they go over the wire. */
  query: Pair[];
  headers: Record<string, string>;
  body: Body;
  /** Changes of what goes over the wire, in order. */
  changes: ((sent: Sent) => Sent)[];
}

export type { Answer };

/** A request as it is sent. */
export interface Sent extends Requested {
  body: Buffer;
}

export function pathOf({ segments, query }: Pick<Draft, 'segments' | 'query'>): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const path = `/${segments.join('/')}${query.length > 0 ? `?${search}` : ''}`;
  return path.replace(UNSENDABLE, (character) => encodeURIComponent(character.toWellFormed()));
}

export function sentOf(draft: Draft): Sent {
  const { method, host, headers, body } = draft;
  const sent = { method, host, path: pathOf(draft), headers: { ...headers }, body: Buffer.from(textOf(body)) };
  return draft.changes.reduce<Sent>((changed, change) => change(changed), sent);
}

function textOf(body: Body): string {
  if (body.kind === 'json') return jsonOf(body.value);
  if (body.kind === 'text') return body.text;
  if (body.kind === 'multipart') return multipartOf(body);
  return body.kind === 'form' ? formOf(body.fields) : '';
}

function multipartOf({ fields, fileField, file }: Extract<Body, { kind: 'multipart' }>): string {
  const part = (disposition: string, text: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const parts = fields.map(([name, value]) => part(`name="${name.replace(/["\r\n]/g, '_')}"`, value));
  return `${parts.join('')}${part(`name="${fileField}"; filename="a.pdf"`, file)}--${BOUNDARY}--\r\n`;
}

function formOf(fields: readonly Pair[]): string {
  return new URLSearchParams(fields.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])).toString();
}

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

  private trySending({ host, headers, body, ...sent }: Sent): Promise<Answer> {
    const length = body.length > 0 && { 'Content-Length': String(body.length) };
    const signal = AbortSignal.timeout(ANSWER_MS_MAX);
    const whole = { ...sent, host: `${host}:${this.port}`, headers: { ...headers, ...length }, body };
    return exchange(this.port, whole, { agent: this.agent, signal });
  }
}
