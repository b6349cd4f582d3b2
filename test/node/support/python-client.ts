import { InputData, JSONSchemaInput, quicktype } from 'quicktype-core';

interface Schema {
  [keyword: string]: unknown;
}
type Content = Record<string, { schema?: Schema }>;
interface Parameter {
  $ref?: string;
  name: string;
  in: string;
}
interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
  security?: Record<string, string[]>[];
}
interface Path {
  servers?: { url: string }[];
  parameters?: Parameter[];
}
export interface OpenApi {
  paths: Record<string, Path & Record<string, Operation>>;
  components: {
    parameters?: Record<string, Parameter>;
    securitySchemes: Record<string, { type: string; name?: string }>;
  };
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * A client in Python that needs nothing but its standard library. quicktype writes the type of every body and every answer, which
 * checks whatever passes through it; to each operation belongs one function, written here.
 */
export async function pythonClient(document: OpenApi): Promise<string> {
  const input = new JSONSchemaInput(undefined);
  const functions: string[] = [];
  // Types of dates would need a package.
  const { paths, components } = JSON.parse(JSON.stringify(document), withoutFormat) as OpenApi;
  for (const [path, { servers, parameters: shared = [], ...methods }] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = methods[method];
      if (!operation) continue;
      const types = { body: schemaOf(operation.requestBody?.content), answer: schemaOf(success(operation)?.content) };
      for (const [kind, schema] of Object.entries(types)) {
        const name = typeName(operation, kind);
        if (schema) await input.addSource({ name, schema: JSON.stringify({ ...schema, components }) });
      }
      const parameters = [...shared, ...(operation.parameters ?? [])].map((each) => resolved(each, components));
      const server = servers ? 'shop' : 'service';
      functions.push(functionOf(operation, { method, path, server, parameters, ...types }));
    }
  }
  const data = new InputData();
  data.addInput(input);
  const { lines } = await quicktype({ inputData: data, lang: 'python', rendererOptions: { 'python-version': '3.7' } });
  return [RUNTIME, headersOf(components), ...lines, ...functions].join('\n');
}

const RUNTIME = `
import json
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen


class Api:
    def __init__(self, servers, credentials):
        self.servers = servers
        self.credentials = credentials

    def send(self, method, server, path, query, body, schemes):
        scheme = next(each for each in schemes if each in self.credentials)
        name, prefix = HEADERS[scheme]
        headers = {name: prefix + self.credentials[scheme], "Content-Type": "application/json"}
        sent = urlencode({key: value for key, value in query.items() if value is not None})
        data = None if body is None else json.dumps(body).encode()
        url = self.servers[server] + path + ("?" + sent if sent else "")
        with urlopen(Request(url, data, headers, method=method)) as answer:
            text = answer.read()
            return json.loads(text) if text else None

`;

function withoutFormat(key: string, value: unknown): unknown {
  return key === 'format' ? undefined : value;
}

function schemaOf(content?: Content): Schema | undefined {
  return content?.['application/json']?.schema;
}

function success({ responses }: Operation) {
  return Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
}

function typeName({ operationId }: Operation, kind: string): string {
  return operationId[0]?.toUpperCase() + operationId.slice(1) + kind[0]?.toUpperCase() + kind.slice(1);
}

function resolved(parameter: Parameter, { parameters = {} }: OpenApi['components']): Parameter {
  return parameters[parameter.$ref?.split('/').at(-1) ?? ''] ?? parameter;
}

/** A name as Python has them; one that is a word of the language gets an underscore. */
function snake(name: string): string {
  const written = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return written === 'from' ? 'from_' : written;
}

/** By the name of each scheme, its header and what stands before the credential there. */
function headersOf({ securitySchemes }: OpenApi['components']): string {
  const all = Object.entries(securitySchemes).map(([scheme, { type, name }]) => {
    return `${JSON.stringify(scheme)}: ${type === 'apiKey' ? `("${name}", "")` : '("Authorization", "Bearer ")'}`;
  });
  return `HEADERS = {${all.join(', ')}}\n`;
}

interface Called {
  method: string;
  path: string;
  server: string;
  parameters: readonly Parameter[];
  body: Schema | undefined;
  answer: Schema | undefined;
}

function functionOf(operation: Operation, { method, path, server, parameters, body, answer }: Called): string {
  const named = (place: string) => parameters.filter((each) => each.in === place).map(({ name }) => name);
  const query = named('query');
  const bodyType = typeName(operation, 'body');
  const taken = [
    'api: Api',
    ...named('path').map((name) => `${snake(name)}: str`),
    ...(body ? [`body: ${bodyType}`] : []),
    ...query.map((name) => `${snake(name)}: Any = None`),
  ];
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => `{quote(${snake(name)}, safe="")}`);
  const schemes = JSON.stringify(operation.security?.flatMap((each) => Object.keys(each)) ?? []);
  const sent = [
    `"${method.toUpperCase()}", "${server}", f'${address}'`,
    `{${query.map((name) => `"${name}": ${snake(name)}`).join(', ')}}`,
    body ? 'body.to_dict()' : 'None',
    schemes,
  ];
  const type = answer ? typeName(operation, 'answer') : 'Any';
  const got = `api.send(${sent.join(', ')})`;
  return `\n\ndef ${snake(operation.operationId)}(${taken.join(', ')}) -> ${type}:\n    return ${answer ? `${type}.from_dict(${got})` : got}`;
}
