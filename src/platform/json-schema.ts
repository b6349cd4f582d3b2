/** JSON Schema for rules between fields, which Zod checks in code and cannot describe. */
interface JsonSchema {
  [keyword: string]: unknown;
}

/** Neither null, nor blank, nor an empty list. */
const PRESENT = { not: { anyOf: [{ enum: [null, []] }, { type: 'string', pattern: '^\\s*$' }] } };

/** An object that has this field, with such a value; `{}` is any value. */
export function has(name: string, value: JsonSchema = PRESENT): JsonSchema {
  return { type: 'object', required: [name], properties: { [name]: value } };
}

/** An object that has none of these fields; null and blank count as missing. */
export function hasNone(...names: string[]): JsonSchema {
  return none(...names.map((name) => has(name)));
}

/** What fits none of these. */
export function none(...schemas: JsonSchema[]): JsonSchema {
  return { not: anyOf(schemas) };
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
      Object.assign(jsonSchema, none(...forbidden));
    },
  };
}

/** For `.meta()`: the document says that `{}` is refused. */
export const NOT_EMPTY = {
  override: ({ jsonSchema }: { jsonSchema: object }) => {
    Object.assign(jsonSchema, { minProperties: 1 });
  },
};

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only && others.length === 0 ? only : { anyOf: schemas };
}
