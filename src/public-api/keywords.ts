/** Formats that say all that a pattern of a few hundred characters says once more. */
const SAID_BY_FORMAT = ['uuid', 'date', 'date-time'];

/**
 * Takes from a document what says nothing: patterns of formats, limits that every integer has, descriptions of parameters that
 * their schemas repeat; and writes "this or null" as one schema where that is possible.
 */
export function withoutRepetition(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Record<string, unknown>;
  uniteWithNull(schema);
  if (SAID_BY_FORMAT.includes(String(schema.format))) delete schema.pattern;
  for (const limit of ['minimum', 'maximum']) {
    if (Math.abs(Number(schema[limit])) === Number.MAX_SAFE_INTEGER) delete schema[limit];
  }
  const { schema: inner, description } = schema as { schema?: { description?: unknown }; description?: unknown };
  if (inner?.description !== undefined && inner.description === description) delete inner.description;
  for (const [key, child] of Object.entries(schema)) if (!/^examples?$/.test(key)) withoutRepetition(child);
}

/**
 * `anyOf: [{ type: 'string', … }, { type: 'null' }]` → `type: ['string', 'null'], …`; not of objects, where generators then overlook
 * the null.
 */
function uniteWithNull(schema: Record<string, unknown>): void {
  const [first, second, ...others] = Array.isArray(schema.anyOf) ? schema.anyOf : [];
  const { type, enum: values, const: only } = first ?? {};
  if (second?.type !== 'null' || others.length > 0 || typeof type !== 'string' || type === 'object') return;
  if (values || only !== undefined) return;
  delete schema.anyOf;
  const { description = first.description } = schema;
  Object.assign(schema, first, { type: [type, 'null'], ...(description !== undefined && { description }) });
}

interface Operation {
  responses: Record<string, { content?: Record<string, Media> }>;
}

interface Media {
  schema: { $ref?: string };
  example?: unknown;
  examples?: Record<string, { $ref: string }>;
}

/**
 * Puts the example of an object that several operations answer among the components: there it stands once, as the first of them
 * answered. @returns the examples, by the names of their schemas
 */
export function shareExamples(paths: Record<string, Record<string, Operation>>): Record<string, { value: unknown }> {
  const answers = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses = {} }) => Object.values(responses))
    .flatMap(({ content = {} }) => Object.values(content))
    .filter(({ schema, example }) => schema.$ref !== undefined && example !== undefined);
  const shared = [...Map.groupBy(answers, ({ schema }) => schema.$ref?.split('/').at(-1) ?? '')].filter(
    ([, all]) => all.length > 1,
  );
  return Object.fromEntries(
    shared.map(([name, all]) => {
      const value = all[0]?.example;
      for (const media of all) {
        delete media.example;
        media.examples = { [name]: { $ref: `#/components/examples/${name}` } };
      }
      return [name, { value }];
    }),
  );
}
