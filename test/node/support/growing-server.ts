import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestTo, type Server, type ServerResponse } from 'node:http';

import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll } from 'vitest';

interface Schema {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  'x-known-values'?: unknown[];
}
interface Operation {
  responses: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Operation['responses'][string]> };
}

/** What the service of next year says beyond the document of today: a value, a member and a type of event. */
export const ADDED = 'added_later';

/**
 * A server before the service that hands on every request. @param document with it, every JSON answer gets what the policy of changes
 * allows: a member in each object, another value wherever values are listed, and an event of an unknown type in the feed
 * @param host of the service, as its Host header says it
 * @returns its address
 */
export async function serverBefore(origin: string, document?: Document): Promise<string> {
  const { port, host } = new URL(origin);
  const server = createServer((request, response) => {
    handOn(request, response, `http://127.0.0.1:${port}`, host, document).catch((error: unknown) => {
      response.writeHead(502).end(String(error));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterAll(() => closed(server));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function closed(server: Server) {
  server.closeAllConnections();
  return once(server.close(), 'close');
}

async function handOn(
  request: IncomingMessage,
  response: ServerResponse,
  to: string,
  host: string,
  document?: Document,
): Promise<void> {
  const { method = 'GET', url = '/' } = request;
  const passed = requestTo(to + url, {
    agent: false,
    method,
    headers: { ...request.headers, host, 'accept-encoding': 'identity' },
  });
  passed.end(await buffer(request));
  const [answer] = (await once(passed, 'response')) as [IncomingMessage];
  const status = answer.statusCode ?? 502;
  let body = await buffer(answer);
  if (document && body.length > 0 && /json/.test(String(answer.headers['content-type']))) {
    const schema = schemaOf(document, method.toLowerCase(), url.split('?')[0] ?? '', status);
    if (schema) body = Buffer.from(JSON.stringify(grown(document, schema, JSON.parse(body.toString()))));
  }
  const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...headers } = answer.headers;
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

function schemaOf({ paths, components }: Document, method: string, path: string, status: number): Schema | undefined {
  const matches = (template: string) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
  const [, operations] = Object.entries(paths).find(([template, all]) => matches(template) && method in all) ?? [];
  const named = operations?.[method]?.responses[status];
  const answer = components.responses[named?.$ref?.split('/').at(-1) ?? ''] ?? named;
  return Object.values(answer?.content ?? {})[0]?.schema;
}

function grown(document: Document, given: Schema, value: unknown): unknown {
  const schema = document.components.schemas[given.$ref?.split('/').at(-1) ?? ''] ?? given;
  if (schema.anyOf) {
    const fits = schema.anyOf.find((each) => (value === null) === isNull(each)) ?? {};
    return grown(document, fits, value);
  }
  if (typeof value === 'string') return schema['x-known-values'] ? ADDED : value;
  if (Array.isArray(value)) {
    const all = value.map((each) => grown(document, schema.items ?? {}, each));
    if (schema.items?.['x-known-values']) return [...all, ADDED];
    return schema.items?.$ref?.endsWith('/Event')
      ? [...all, { ...(all[0] as object), metadata: { [ADDED]: [1] } }]
      : all;
  }
  if (typeof value !== 'object' || value === null || !schema.properties) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const of = schema.properties?.[name];
    return [name, of ? grown(document, of, member) : member];
  });
  return { ...Object.fromEntries(members), [ADDED]: { in: ['each', 'object'] } };
}

const isNull = (schema: Schema) => 'type' in schema && schema.type === 'null';
