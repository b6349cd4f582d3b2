/** JSON Schema for rules between fields. Zod checks them in code and cannot describe them. */
interface JsonSchema {
  [keyword: string]: unknown;
}

/** Not null, not blank, not an empty list. */
const PRESENT = { not: { anyOf: [{ enum: [null, []] }, { type: 'string', pattern: '^\\s*$' }] } };

/** An object that has this field with such a value; `{}` allows any value. */
export function has(name: string, value: JsonSchema = PRESENT): JsonSchema {
  return { type: 'object', required: [name], properties: { [name]: value } };
}

/** An object without any of these fields; null and blank count as missing. */
export function hasNone(...names: string[]): JsonSchema {
  return none(...names.map((name) => has(name)));
}

/** Matches none of these schemas. */
export function none(...schemas: JsonSchema[]): JsonSchema {
  return { not: anyOf(schemas) };
}

/** The empty object, `{}`. */
export const EMPTY: JsonSchema = { type: 'object', maxProperties: 0 };

/** Matches all of these schemas. */
export function all(...schemas: JsonSchema[]): JsonSchema {
  return { allOf: schemas };
}

/**
 * For `.meta()`: documents that an object which matches one of these is refused. Everything is under `not`, because
 * client generators ignore it: `anyOf` would make them generate unions and lose the fields.
 */
export function refusing(...forbidden: JsonSchema[]) {
  return {
    override: ({ jsonSchema }: { jsonSchema: object }) => {
      Object.assign(jsonSchema, none(...forbidden));
    },
  };
}

/** For `.meta()`: documents that `{}` is refused. */
export const NOT_EMPTY = {
  override: ({ jsonSchema }: { jsonSchema: object }) => {
    Object.assign(jsonSchema, { minProperties: 1 });
  },
};

function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only, ...others] = schemas;
  return only && others.length === 0 ? only : { anyOf: schemas };
}
