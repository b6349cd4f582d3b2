import fc from 'fast-check';
import { onePagePdf } from '../pdf.ts';
import { jsonOf, MARKUP, Raw, strangeText, strangeValue } from './strange.ts';

/** The part of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  example?: unknown;
  description?: string;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

/** What stands for a member of this name, in a body, a query or a path. */
export type Known = (name: string) => readonly unknown[];

/**
 * How values are made: as somebody means them, with everything at its longest, or with parts that do not fit the schema.
 */
export type Manner = 'meant' | 'largest' | 'strange';

type Values = fc.Arbitrary<unknown>;

const WORDS = ['Erika Mustermann', 'Köln', 'a', 'Abholung', 'عمر Özgür', '👩‍⚕️', 'TX-4711', '1', ...MARKUP.slice(0, 3)];
const FORMATS: Record<string, string[]> = {
  'date-time': ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00+02:00', '1970-01-01T00:00:00Z'],
  date: ['2026-11-01', '2026-11-20'],
  email: ['erika@example.com', 'a.b+c@sub.example.com'],
  uri: ['https://rezepte.telemed-beispiel.de/a.pdf'],
};
const NUMBERS = [0, 1, 2, 3, 4.95, 12.5, 100];
const PDF = onePagePdf('Rezept').toString('base64');
const LONG = 40_000;
const ITEMS_MAX = 100;
/** Beyond it, only what is required is made. */
const DEPTH_MAX = 6;
/** Of the parts of a strange value, one in so many does not fit. */
const STRANGE_ONE_IN = 30;
const EXTRA_NAMES = ['extra', '', '__proto__', 'constructor', 'id', 'status', 'org_id', 'a/b~c', '\u0000'];

/** Values that fit a schema of the document, mostly: rules over several members (`not`) are left to chance. */
export class Maker {
  private readonly schemas: Record<string, Schema>;
  private readonly known: Known;
  private readonly manner: Manner;

  constructor(schemas: Record<string, Schema>, known: Known, manner: Manner) {
    this.schemas = schemas;
    this.known = known;
    this.manner = manner;
  }

  of(schema: Schema, name = '', depth = 0): Values {
    return this.strangely(this.fitting(schema, name, depth));
  }

  /** Of the document's example, with what it names replaced by what there is. */
  like(example: unknown, name = ''): Values {
    const known = this.known(name);
    if (Array.isArray(example)) return this.strangely(fc.tuple(...example.map((each) => this.like(each))));
    if (typeof example === 'object' && example !== null) {
      const members = Object.entries(example).map(([key, member]) => [key, this.like(member, key)]);
      return this.strangely(this.object(Object.fromEntries(members), Object.keys(example)));
    }
    return this.strangely(
      typeof example === 'string' && known.length > 0 ? fc.constantFrom(...known) : fc.constant(example),
    );
  }

  /** Now and then something else instead, or the same with another type. */
  private strangely(values: Values): Values {
    if (this.manner !== 'strange') return values;
    const wrapped = values.map((value) => (typeof value === 'string' ? [value] : jsonOf(value)));
    return fc.oneof(
      { withCrossShrink: true },
      { arbitrary: values, weight: 2 * STRANGE_ONE_IN },
      { arbitrary: strangeValue, weight: 2 },
      { arbitrary: wrapped, weight: 1 },
    );
  }

  private fitting(schema: Schema, name: string, depth: number): Values {
    if (schema.$ref) return this.of(this.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, name, depth);
    if ('const' in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    // The first branch is the value itself, the others are mostly `null`.
    const branches = schema.anyOf ?? schema.oneOf;
    if (branches) return mostlyFirst(branches.map((each) => this.of(each, name, depth)));
    if (schema.allOf) {
      const all = schema.allOf.map((each) => this.fitting(each, name, depth));
      return fc.tuple(...all).map((parts) => Object.assign({}, ...parts));
    }
    const { type = schema.properties ? 'object' : 'string' } = schema;
    if (Array.isArray(type))
      return mostlyFirst(type.map((each) => this.fitting({ ...schema, type: each }, name, depth)));
    return this.typed(type, schema, name, depth);
  }

  private typed(type: string, schema: Schema, name: string, depth: number): Values {
    switch (type) {
      case 'object': {
        const { properties = {}, required = [] } = schema;
        const made = Object.entries(properties)
          .filter(([key]) => required.includes(key) || depth < DEPTH_MAX)
          // What an answer says and a request may repeat must be as it was.
          .filter(([, { description = '' }]) => !description.startsWith('Returned by GET') || this.manner === 'strange')
          .map(([key, each]) => [key, this.of(each, key, depth + 1)]);
        return this.object(Object.fromEntries(made), required);
      }
      case 'array': {
        const { items = {}, minItems = 0, maxItems = ITEMS_MAX } = schema;
        const of = (most: number) =>
          fc.array(this.of(items, name, depth + 1), { minLength: minItems, maxLength: Math.max(minItems, most) });
        const few = of(Math.min(2, maxItems));
        return this.manner === 'largest' && depth < 3 ? mostlyFirst([few, of(Math.min(ITEMS_MAX, maxItems))]) : few;
      }
      case 'integer':
        return this.number(schema, NUMBERS.filter(Number.isInteger), fc.maxSafeInteger());
      case 'number':
        return this.number(schema, NUMBERS, fc.double({ noNaN: true, noDefaultInfinity: true }));
      case 'boolean':
        return fc.boolean();
      case 'null':
        return fc.constant(null);
      default:
        return this.text(schema, name);
    }
  }

  private object(members: Record<string, Values>, required: readonly string[]): Values {
    const object = fc.record(members, { requiredKeys: required.filter((key) => key in members) });
    if (this.manner === 'largest') return mostlyFirst([fc.record(members), object]);
    if (this.manner === 'meant') return object;
    const name = fc.oneof(fc.constantFrom(...EXTRA_NAMES, ...Object.keys(members)), strangeText);
    const missing = fc.record(members, { requiredKeys: [] });
    // As text: `__proto__` would set the prototype, and a member twice is none of JavaScript's.
    const extra = fc
      .tuple(object, name, strangeValue)
      .map(
        ([inner, key, value]) =>
          new Raw(`{${JSON.stringify(key)}:${jsonOf(value)},${jsonOf(inner).slice(1)}`.replace(/,}$/, '}')),
      );
    return fc.oneof(
      { withCrossShrink: true },
      { arbitrary: object, weight: STRANGE_ONE_IN },
      { arbitrary: missing, weight: 1 },
      { arbitrary: extra, weight: 1 },
    );
  }

  private number(
    { minimum = -Infinity, maximum = Infinity }: Schema,
    usual: readonly number[],
    any: fc.Arbitrary<number>,
  ): Values {
    const isFitting = (number: number) => number >= minimum && number <= maximum;
    const ends = [maximum, minimum].filter(Number.isFinite);
    const fit = [...usual.filter(isFitting), ...ends];
    if (this.manner === 'largest') return fc.constantFrom(ends[0] ?? fit.at(-1) ?? 0);
    const fits = fc.constantFrom(...(fit.length > 0 ? fit : [0]));
    return this.manner === 'strange' ? mostlyFirst([fits, any]) : fits;
  }

  private text({ example, format = '', pattern, minLength = 0, maxLength = Infinity }: Schema, name: string): Values {
    const rule = pattern === undefined ? null : new RegExp(pattern, 'u');
    const isFitting = (text: unknown): text is string =>
      typeof text === 'string' && text.length >= minLength && text.length <= maxLength && (rule?.test(text) ?? true);
    const known = this.known(name).filter(isFitting);
    if (known.length > 0) return fc.constantFrom(...known);
    if (name === 'prescription_pdf_base64') return fc.constant(PDF);
    const longest = ['x', 'ü', '1'].map((unit) => unit.repeat(Math.min(maxLength, LONG))).filter(isFitting);
    if (this.manner === 'largest' && longest.length > 0) return fc.constantFrom(...longest);
    const words = [...(FORMATS[format] ?? []), ...(format ? [] : WORDS), example].filter(isFitting);
    const usual = fc.constantFrom(...(words.length > 0 ? words : [example ?? WORDS[0]]));
    if (this.manner !== 'strange') return usual;
    const shortest = ['x'.repeat(minLength), '1'.repeat(minLength)].filter(isFitting);
    return mostlyFirst([usual, fc.oneof(strangeText, ...[...longest, ...shortest].map((text) => fc.constant(text)))]);
  }
}

function mostlyFirst([first, ...others]: readonly Values[]): Values {
  if (!first) throw new Error('nothing to choose from');
  const weight = 4 * Math.max(1, others.length);
  return fc.oneof({ arbitrary: first, weight }, ...others.map((arbitrary) => ({ arbitrary, weight: 1 })));
}
