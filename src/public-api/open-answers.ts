interface Schema {
  type?: unknown;
  description?: string;
  properties?: Record<string, Schema>;
  enum?: unknown[];
  const?: unknown;
  [keyword: string]: unknown;
}

interface Parts {
  paths: Record<string, Record<string, { responses?: unknown }>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, unknown> };
}

/**
 * Opens the schemas of answers: members and values may be added to them, and a generated client must not refuse those. Values that
 * are known stand in `x-known-values`. Bodies of requests stay strict; a schema that both use gets a copy for answers.
 */
export function openAnswers(document: Parts): void {
  const { schemas, responses } = document.components;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const sent = reached(
    operations.map(({ responses: _, ...sends }) => sends),
    schemas,
  );
  const answers = [responses, ...operations.map((operation) => operation.responses)];
  for (const name of reached([...answers, ...eventsIn(schemas)], schemas)) {
    if (sent.has(name)) schemas[`${name}Answer`] = structuredClone(schemas[name] as Schema);
  }
  const renamed = (name: string) => (sent.has(name) ? `${name}Answer` : name);
  const opened = Object.keys(schemas).filter((name) => !sent.has(name));
  for (const part of [...answers, ...opened.map((name) => schemas[name])]) open(part, renamed);
}

const EVENT = /Event$/;
const eventsIn = (schemas: Record<string, Schema>) =>
  Object.entries(schemas).flatMap(([name, schema]) => (EVENT.test(name) ? [schema] : []));

function open(value: unknown, renamed: (name: string) => string, member?: string): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Schema;
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (schema.oneOf !== undefined) {
    // Without closed values several of them may fit.
    schema.anyOf = schema.oneOf;
    delete schema.oneOf;
    delete schema.discriminator;
  }
  if (typeof schema.$ref === 'string')
    schema.$ref = schema.$ref.replace(COMPONENT, (_, name) => PREFIX + renamed(name));
  // Generators for Java take the null of an object only if it need not be there.
  if (Array.isArray(schema.required))
    schema.required = schema.required.filter((name) => !isObjectOrNull(schema.properties?.[name]));
  // The schema of an event is that of its one type.
  if (member !== 'event_type' || schema.enum) openValues(schema);
  for (const [key, child] of Object.entries(schema)) {
    // Members of these names are no keywords.
    if (key === 'properties') for (const [name, each] of Object.entries(child as object)) open(each, renamed, name);
    else if (!/^examples?$/.test(key)) open(child, renamed);
  }
}

function isObjectOrNull(schema: Schema | undefined): boolean {
  const all = Array.isArray(schema?.anyOf) ? (schema.anyOf as Schema[]) : [];
  return all.some(({ properties }) => properties) && all.some(({ type }) => type === 'null');
}

function openValues(schema: Schema): void {
  const values = (schema.enum ?? [schema.const]).filter((each) => typeof each === 'string');
  if (values.length > 0) {
    schema['x-known-values'] = values;
    const { description = '' } = schema;
    const isSaid = values.every((each) => description.includes(each));
    if (!isSaid) schema.description = `${description} Known values: ${values.join(', ')}.`.trim();
  }
  delete schema.enum;
  if (typeof schema.const !== 'object') delete schema.const;
}

const PREFIX = '#/components/schemas/';
const COMPONENT = /^#\/components\/schemas\/(\w+)$/;

/** Names of the schemas that can be reached by references. */
export function reached(value: unknown, schemas: Record<string, object>, found = new Set<string>()): Set<string> {
  for (const [, name = ''] of JSON.stringify(value ?? null).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    reached(schemas[name], schemas, found);
  }
  return found;
}
