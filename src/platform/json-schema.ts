/** JSON Schema for rules between fields, which Zod checks in code and cannot describe. */
interface JsonSchema {
  [keyword: string]: unknown;
}

/** Neither missing, null nor blank. */
const PRESENT = {
  not: { anyOf: [{ type: 'null' }, { type: 'string', pattern: '^\\s*$' }, { type: 'array', maxItems: 0 }] },
};

/** An object that has this field. */
export function has(name: string, value: JsonSchema = PRESENT): JsonSchema {
  return { type: 'object', required: [name], properties: { [name]: value } };
}

/** An object that has none of these fields. */
export function hasNone(...names: string[]): JsonSchema {
  return { not: { anyOf: names.map((name) => has(name)) } };
}

/** `{}`. */
export const EMPTY: JsonSchema = { type: 'object', maxProperties: 0 };

/** What fits all of these. */
export function all(...schemas: JsonSchema[]): JsonSchema {
  return { allOf: schemas };
}

/**
 * For `.meta()`: the document says that an object which fits one of these is refused. All stands under `not`, which
 * generators of clients pass over: they would make unions of `anyOf` and lose the fields.
 */
export function refusing(...forbidden: JsonSchema[]) {
  return {
    override: ({ jsonSchema }: { jsonSchema: object }) => {
      Object.assign(jsonSchema, { not: forbidden.length === 1 ? forbidden[0] : { anyOf: forbidden } });
    },
  };
}

/** For `.meta()`: the document says that `{}` is refused. */
export const NOT_EMPTY = {
  override: ({ jsonSchema }: { jsonSchema: object }) => {
    Object.assign(jsonSchema, { minProperties: 1 });
  },
};
