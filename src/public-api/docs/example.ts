import {
  type Listed,
  type Media,
  type Parameter,
  type Reference,
  refName,
  resolve,
  type Schema,
  withoutNull,
} from './document';

/** Values for fields whose schema has no example of its own. One that does not fit a field's type is passed over. */
const SAMPLES: Record<string, unknown> = {
  access_token: 'eyJhbGciOiJIUzI1NiIsImtpZCI6InQxIn0…',
  scope: 'products.read products.write',
  // The demo's P1-10001, which the ids of the examples name.
  name: 'Ibuprofen 400 mg Filmtabletten, 20 St',
  product_name: 'Ibuprofen 400 mg Filmtabletten, 20 St',
  description: 'Für Erwachsene und Kinder ab 20 kg.',
  category: 'Schmerzmittel',
  thc_percent: 0,
  cbd_percent: 0,
  stock_quantity: 20,
  low_stock_threshold: 5,
  available: true,
  is_active: true,
  attached: true,
  available_for_pickup: true,
  available_for_shipping: true,
  changed: ['price'],
  sources: { name: 'catalog', price: 'shop', available: 'default' },
  next_cursor: '4711',
  message: 'The order request was received and waits for review.',
  code: 'unmatched_item',
  pointer: '/payload/items/0',
  org_id: '019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b',
  event_type: 'product_updated',
  title: 'Product updated',
  metadata: { p1_id: 'P1-10001', changed_fields: ['price'] },
  external_reference: 'RX-2026-0001',
};
const SHOP_NAME = 'Löwen-Apotheke';
const ORGANIZATION_PATH = '/api/v2/public/orgs/{orgId}';
const FORMATS: Record<string, string> = {
  uuid: '019aa0d1-2222-7c0d-8e0f-101112131415',
  'date-time': '2026-11-20T09:30:00.000Z',
  date: '2026-11-20',
  uri: 'https://rx.pharmacy.example/pay/4kT9',
  email: 'erika@example.com',
};

/** What a field can look like: its own example, else a sample by its name, else something of its type. */
export function exampleOf(schema: Schema, schemas: Reference['schemas'], name = ''): unknown {
  const known = resolve(schema, schemas);
  if (known.example !== undefined) return known.example;
  if (known.const !== undefined) return known.const;
  const type = typeOf(withoutNull(known));
  const sample = SAMPLES[name];
  if (sample !== undefined && kindOf(sample) === type) return sample;
  if (known.default !== undefined) return known.default;
  if (isNullable(known) && !name.endsWith('_id') && !refName(withoutNull(known))) return null;
  if (known.enum) return known.enum[0];
  if (known.anyOf)
    return exampleOf(withoutNull(known) === known ? (known.anyOf[0] ?? {}) : withoutNull(known), schemas, name);
  if (type === 'object') return objectExample(known, schemas);
  if (type === 'array') return known.items ? [exampleOf(known.items, schemas, name)] : [];
  return scalarExample(/(^|_)id$/.test(name) ? { format: 'uuid', ...known } : known, type);
}

function objectExample(schema: Schema, schemas: Reference['schemas']): Record<string, unknown> {
  const entries = Object.entries(schema.properties ?? {});
  const example = Object.fromEntries(entries.map(([name, field]) => [name, exampleOf(field, schemas, name)]));
  if ('is_active' in example) example.name = SHOP_NAME;
  return withOverrides(example);
}

/** An example that names a shop's overrides shows their effect too. */
function withOverrides({ overrides, ...example }: Record<string, unknown>): Record<string, unknown> {
  if (typeof overrides !== 'object') return example;
  if ('price' in example) return { ...example, ...overrides, overrides };
  const { effective } = example;
  return { ...example, overrides, ...(typeof effective === 'object' && { effective: { ...effective, ...overrides } }) };
}

function scalarExample({ format, minimum }: Schema, type: string): unknown {
  if (type === 'boolean') return false;
  if (type === 'integer' || type === 'number') return Math.max(minimum ?? 1, 1);
  if (type === 'null') return null;
  return (format && FORMATS[format]) ?? 'text';
}

function typeOf({ type, properties }: Schema): string {
  const named = Array.isArray(type) ? type.find((each) => each !== 'null') : type;
  return (named === 'integer' ? 'number' : named) ?? (properties ? 'object' : 'string');
}

function isNullable({ type, anyOf = [] }: Schema): boolean {
  return [type].flat().includes('null') || anyOf.some((each) => each.type === 'null');
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value;
}

export function mediaExample({ schema, example }: Media, schemas: Reference['schemas']): unknown {
  return example ?? exampleOf(schema, schemas);
}

/** A command to paste. What differs from one caller to the next stands in shell variables (start.tsx sets them). */
export function curlOf(operation: Listed, schemas: Reference['schemas']): string {
  const { method, path, isShops, parameters = [], requestBody } = operation;
  const address = `${isShops ? '$SHOP_URL' : ''}${path}`
    .replace(ORGANIZATION_PATH, '$API')
    .replace(/\{(\w+)\}/g, (_, name) => String(parameterExample(name, parameters, schemas)));
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name }) => `${name}=${parameterExample(name, parameters, schemas)}`)
    .join('&');
  const json = requestBody?.content['application/json'];
  const body = json ? JSON.stringify(mediaExample(json, schemas), null, 2).replaceAll("'", "'\\''") : null;
  const verb = method === (body ? 'post' : 'get') ? '' : `-X ${method.toUpperCase()} `;
  return [
    `curl -sS ${verb}"${address}${query && `?${query}`}"`,
    `-H "${credentialsOf(operation)}"`,
    ...(body ? [`-H 'Content-Type: application/json'`, `-d '${body}'`] : []),
  ].join(' \\\n  ');
}

function credentialsOf({ security }: Listed): string {
  const [scheme = ''] = Object.keys(security[0] ?? {});
  if (scheme === 'accessToken') return 'Authorization: Bearer $TOKEN';
  return scheme === 'apiKey' ? 'X-API-Key: $API_KEY' : 'apikey: $INTEGRATION_KEY';
}

function parameterExample(name: string, parameters: Parameter[], schemas: Reference['schemas']): unknown {
  const parameter = parameters.find((each) => each.name === name);
  return parameter ? exampleOf(parameter.schema, schemas, name) : name;
}
