interface Schema {
  description?: string;
  type?: unknown;
  properties?: Record<string, unknown>;
  required?: string[];
  allOf?: Schema[];
  [keyword: string]: unknown;
}

const EVENT = /^\w+Event$/;
const PROBLEM = /^\w+Problem$/;
const ENVELOPE = 'EventEnvelope';

/**
 * Writes the schemas of problems and events as what they add to the one that they share (`allOf`). Both are open: members may be
 * added to them.
 */
export function inheritSchemas(schemas: Record<string, Schema>): void {
  const events = Object.keys(schemas).filter((name) => EVENT.test(name));
  const problems = Object.keys(schemas).filter((name) => PROBLEM.test(name));
  const [first] = events;
  if (first) schemas[ENVELOPE] = envelopeOf(schemas[first] ?? {});
  for (const name of events) schemas[name] = inherited(schemas, ENVELOPE, schemas[name] ?? {});
  for (const name of problems) schemas[name] = inherited(schemas, 'Problem', schemas[name] ?? {});
}

/** What the schema of an event has but its type and its metadata. */
function envelopeOf({ properties = {} }: Schema): Schema {
  const { event_type: _, metadata: __, ...shared } = properties;
  const description = 'What every event has.';
  return { type: 'object', description, properties: shared, required: Object.keys(shared) };
}

function inherited(
  schemas: Record<string, Schema>,
  base: string,
  { description, properties = {}, required = [] }: Schema,
) {
  const known = schemas[base] ?? {};
  const isInBase = (name: string) => JSON.stringify(known.properties?.[name]) === JSON.stringify(properties[name]);
  const own = Object.fromEntries(Object.entries(properties).filter(([name]) => !isInBase(name)));
  const missing = required.filter((name) => !known.required?.includes(name));
  return {
    description,
    allOf: [
      { $ref: `#/components/schemas/${base}` },
      { type: 'object', properties: own, ...(missing.length > 0 && { required: missing }) },
    ],
  };
}
