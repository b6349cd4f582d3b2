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
 * Writes schemas as what they add to one that they share (`allOf`). Those of problems and events are open: members may be added to
 * them.
 */
export function inheritSchemas(schemas: Record<string, Schema>): void {
  const events = Object.keys(schemas).filter((name) => EVENT.test(name));
  const problems = Object.keys(schemas).filter((name) => PROBLEM.test(name));
  const [first] = events;
  if (first) schemas[ENVELOPE] = envelopeOf(schemas[first] ?? {});
  for (const name of events) schemas[name] = inherited(schemas, ENVELOPE, schemas[name] ?? {});
  for (const name of problems) schemas[name] = inherited(schemas, 'Problem', schemas[name] ?? {});
  // SAFETY: lists of objects.
  const exported = (schemas.CustomerExport?.properties ?? {}) as Record<string, { items: Schema } | undefined>;
  shareMembers(schemas, 'Order', [exported.orders?.items]);
  shareMembers(schemas, 'OrderRequest', [exported.order_requests?.items]);
  shareMembers(schemas, 'Product', [schemas.ShopProduct, schemas.UpdatedProduct]);
}

/** Lets closed schemas share the members that all of them have with a named one. */
function shareMembers(schemas: Record<string, Schema>, name: string, others: (Schema | undefined)[]): void {
  const all = [schemas[name], ...others].filter((each) => each !== undefined);
  const [first, ...rest] = all;
  if (!first || rest.length === 0) return;
  const isShared = (key: string) =>
    rest.every(({ properties }) => JSON.stringify(properties?.[key]) === JSON.stringify(first.properties?.[key]));
  const shared = Object.entries(first.properties ?? {}).filter(([key]) => isShared(key));
  const base = `${name}Members`;
  schemas[base] = {
    type: 'object',
    description: `What every schema of ${name} has.`,
    properties: Object.fromEntries(shared),
    required: first.required?.filter((key) => isShared(key)),
  };
  for (const each of all) {
    const { allOf, description } = inherited(schemas, base, each);
    for (const keyword of Object.keys(each)) delete each[keyword];
    Object.assign(each, { ...(description && { description }), allOf, unevaluatedProperties: false });
  }
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
