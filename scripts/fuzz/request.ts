import { once } from 'node:events';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { jsonOf } from './strange.ts';

/** A bound for a hang. */
const ANSWER_MS_MAX = 60_000;
/** Only what may stand in a request line; everything else would be refused by Node, not by the service. */
const UNSENDABLE = /[^\u0021-\u007e]/g;

export type Pair = [name: string, value: string];

/** The field of a form that takes a file. */
export const FILE_FIELD = 'prescription_file';
/** Between the parts of a form with a file. */
export const BOUNDARY = 'fuzz-boundary';

export type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; fields: Pair[] }
  | { kind: 'multipart'; fields: Pair[]; file: string }
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
  /** Changes of the body's bytes, in order. */
  bytes: ((bytes: Buffer) => Buffer)[];
}

/** A request as it is sent. */
export interface Sent {
  method: string;
  host: string;
  path: string;
  headers: Record<string, string>;
  body: Buffer;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export function pathOf({ segments, query }: Pick<Draft, 'segments' | 'query'>): string {
  const search = query.map(([name, value]) => `${name}=${value}`).join('&');
  const path = `/${segments.join('/')}${query.length > 0 ? `?${search}` : ''}`;
  return path.replace(UNSENDABLE, (character) => encodeURIComponent(character.toWellFormed()));
}

export function sentOf(draft: Draft): Sent {
  const bytes = Buffer.from(textOf(draft.body));
  const { method, host } = draft;
  const body = draft.bytes.reduce<Buffer>((changed, change) => change(changed), bytes);
  return { method, host, path: pathOf(draft), headers: { ...draft.headers }, body };
}

function textOf(body: Body): string {
  if (body.kind === 'json') return jsonOf(body.value);
  if (body.kind === 'text') return body.text;
  if (body.kind === 'multipart') return multipartOf(body.fields, body.file);
  return body.kind === 'form' ? formOf(body.fields) : '';
}

function multipartOf(fields: readonly Pair[], file: string): string {
  const part = (disposition: string, text: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${text}\r\n`;
  const parts = fields.map(([name, value]) => part(`name="${name.replace(/["\r\n]/g, '_')}"`, value));
  return `${parts.join('')}${part(`name="${FILE_FIELD}"; filename="a.pdf"`, file)}--${BOUNDARY}--\r\n`;
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

  private async trySending({ method, host, path, headers, body }: Sent): Promise<Answer> {
    const call = request({ host: '127.0.0.1', port: this.port, method, path, agent: this.agent });
    for (const [name, value] of Object.entries(headers)) call.setHeader(name, value);
    call.setHeader('Host', `${host}:${this.port}`);
    if (body.length > 0) call.setHeader('Content-Length', body.length);
    call.setTimeout(ANSWER_MS_MAX, () => call.destroy(new Error(`no answer within ${ANSWER_MS_MAX / 1000} s`)));
    call.end(body);
    const [answer] = await once(call, 'response');
    const bytes = await buffer(answer);
    return { status: answer.statusCode, headers: answer.headers, text: bytes.toString() };
  }
}
