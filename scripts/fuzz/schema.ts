import { onePagePdf } from '../pdf.ts';
import type { Random } from '../random.ts';
import { MARKUP } from './strange.ts';

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

const WORDS = [
  'Erika Mustermann',
  'Köln',
  'a',
  'Abholung',
  'عمر Özgür',
  '👩‍⚕️',
  'TX-4711',
  'a-1',
  '1',
  ...MARKUP.slice(0, 3),
];
const FORMATS: Record<string, string[]> = {
  'date-time': ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00+02:00', '1970-01-01T00:00:00Z'],
  date: ['2026-11-01', '2026-11-20'],
  email: ['erika@example.com', 'a.b+c@sub.example.com'],
  uri: ['https://rezepte.telemed-beispiel.de/a.pdf'],
};
const NUMBERS = [0, 1, 2, 3, 4.95, 12.5, 100];
/** How much of what fits: everything at its longest, as little as possible, or something in between. */
export type Size = 'usual' | 'largest' | 'smallest';
const OPTIONAL_SHARE: Record<Size, number> = { usual: 0.4, largest: 0.9, smallest: 0 };
/** Of texts and numbers of the usual size, so many are the longest, the shortest, the largest, the smallest that fit. */
const EXTREME_SHARE = 0.15;
const LONG = 40_000;
const ITEMS_MAX = 100;
/** Beyond it, only what is required is made. */
const DEPTH_MAX = 6;

/** Makes values that fit a schema of the document, mostly: rules over several members (`not`) are left to chance. */
export class Maker {
  private readonly schemas: Record<string, Schema>;
  private readonly known: Known;
  private readonly size: Size;

  constructor(schemas: Record<string, Schema>, known: Known, size: Size) {
    this.schemas = schemas;
    this.known = known;
    this.size = size;
  }

  value(schema: Schema, random: Random, name = '', depth = 0): unknown {
    if (schema.$ref) {
      return this.value(this.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, random, name, depth);
    }
    if ('const' in schema) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    const branches = schema.anyOf ?? schema.oneOf;
    // The first branch is the value itself, the others are mostly `null`.
    if (branches) return this.value((random.chance(0.8) && branches[0]) || random.pick(branches), random, name, depth);
    if (schema.allOf) {
      return Object.assign({}, ...schema.allOf.map((each) => this.value(each, random, name, depth)));
    }
    switch (typeOf(schema, random)) {
      case 'object':
        return this.object(schema, random, depth);
      case 'array':
        return this.array(schema, random, name, depth);
      case 'integer':
        return this.number(schema, NUMBERS.map(Math.floor), random);
      case 'number':
        return this.number(schema, NUMBERS, random);
      case 'boolean':
        return random.chance(0.5);
      case 'null':
        return null;
      default:
        return this.text(schema, random, name);
    }
  }

  private object({ properties = {}, required = [] }: Schema, random: Random, depth: number): object {
    const made = Object.entries(properties)
      .filter(([name]) => required.includes(name) || (depth < DEPTH_MAX && random.chance(OPTIONAL_SHARE[this.size])))
      // What an answer says and a request may repeat must be as it was.
      .filter(([, { description = '' }]) => !description.startsWith('Returned by GET') || random.chance(0.1))
      .map(([name, schema]) => [name, this.value(schema, random, name, depth + 1)]);
    return Object.fromEntries(made);
  }

  private array(
    { items = {}, minItems = 0, maxItems = ITEMS_MAX }: Schema,
    random: Random,
    name: string,
    depth: number,
  ) {
    const isLong = this.size === 'largest' && depth < 3 && random.chance(0.1);
    const count = Math.min(Math.max(minItems, isLong ? ITEMS_MAX : 1 + random.below(2)), maxItems);
    return Array.from({ length: count }, () => this.value(items, random, name, depth + 1));
  }

  private number(schema: Schema, numbers: readonly number[], random: Random): number {
    const ends = { usual: [schema.minimum, schema.maximum], largest: [schema.maximum], smallest: [schema.minimum] };
    const bounds = ends[this.size].filter((bound) => bound !== undefined);
    if (bounds.length > 0 && random.chance(this.size === 'usual' ? EXTREME_SHARE : 0.5)) return random.pick(bounds);
    return random.pick(fitting(schema, numbers));
  }

  private text(schema: Schema, random: Random, name: string): unknown {
    const { example, format = '', pattern, minLength = 0, maxLength = Infinity } = schema;
    const isFitting = (text: unknown) =>
      typeof text === 'string' &&
      text.length >= minLength &&
      text.length <= maxLength &&
      (!pattern || new RegExp(pattern, 'u').test(text));
    const isNamed = this.known(name).length > 0;
    if (!isNamed && (this.size !== 'usual' || random.chance(EXTREME_SHARE))) {
      const lengths = { usual: [maxLength, minLength], largest: [maxLength], smallest: [minLength, 1] };
      const length = random.pick(lengths[this.size]);
      const text = random.pick(['x', 'ü', '1']).repeat(Math.min(length, LONG));
      if (isFitting(text)) return text;
    }
    const known = this.known(name).filter(isFitting);
    if (known.length > 0) return random.pick(known);
    if (name === 'prescription_pdf_base64') return onePagePdf('Rezept').toString('base64');
    const all = [...(FORMATS[format] ?? []), ...(format ? [] : WORDS), example];
    const fit = all.filter(isFitting);
    return fit.length > 0 ? random.pick(fit) : (example ?? random.pick(WORDS));
  }
}

function typeOf({ type, properties }: Schema, random: Random): string {
  if (Array.isArray(type)) return random.chance(0.8) ? (type[0] ?? 'string') : random.pick(type);
  return type ?? (properties ? 'object' : 'string');
}

function fitting({ minimum = -Infinity, maximum = Infinity }: Schema, numbers: readonly number[]): number[] {
  const fit = numbers.filter((number) => number >= minimum && number <= maximum);
  return fit.length > 0 ? fit : [minimum];
}
