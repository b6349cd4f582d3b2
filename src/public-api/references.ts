/** What of a document's components is put in the place of a reference to it. Schemas and headers stay references. */
const REFERENCE = /^#\/components\/(responses|parameters|examples)\/([\w-]+)$/;

type Components = Record<string, Record<string, unknown>>;

/** An OpenAPI document in which responses, parameters and examples stand where they are referred to. */
export function withoutReferences<T extends object>(document: T): T {
  // SAFETY: a document has its components there; everything else is looked at member by member.
  const { components = {} } = document as { components?: Components };
  const resolved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolved);
    if (typeof value !== 'object' || value === null) return value;
    const [, kind = '', name = ''] = REFERENCE.exec('$ref' in value ? String(value.$ref) : '') ?? [];
    if (kind) return resolved(components[kind]?.[name]);
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, resolved(child)]));
  };
  // SAFETY: as above; what a reference stands for has the type of what stands there otherwise.
  return resolved(document) as T;
}

interface ErrorSchema {
  $ref?: string;
  properties?: { code?: { 'x-known-values'?: string[] } };
  anyOf?: ErrorSchema[];
}

/** The codes of an error response of the document, with the name of the schema of the problem document of each. */
export function problemsIn(schema: ErrorSchema): Map<string, string> {
  const variants = schema.anyOf ?? [schema];
  return new Map(
    variants.flatMap(({ $ref = '', properties }) => {
      const name = $ref.slice($ref.lastIndexOf('/') + 1);
      return (properties?.code?.['x-known-values'] ?? [codeOf(name)]).map((code) => [code, name] as const);
    }),
  );
}

/** `NotApprovableProblem` → `not_approvable` */
function codeOf(name: string): string {
  return name
    .replace(/Problem$/, '')
    .replace(/\B[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}

/** The members that a named schema has. */
export function membersOf(name: string, schemas: Record<string, { properties?: object }>): string[] {
  return Object.keys(schemas[name]?.properties ?? {});
}
