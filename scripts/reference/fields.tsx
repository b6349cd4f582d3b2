import { once } from '../../src/platform/isolate-cache';
import { anchorOf, memberOf, type Parameter, pathOf, refName, resolve, type Schema, withoutNull } from './document';
import text from './guides/values.md' with { type: 'text' };
import { cellsOf, joined, Paragraph, Table } from './text';

interface Field {
  /** Path before the name of a field, such as `payload.items[].`. */
  prefix: string;
  name: string;
  schema: Schema;
  /** Description, which may be set even if the schema is a reference. */
  about?: string;
  required: boolean;
  /** Value in a recorded call. */
  example?: unknown;
}

interface FieldTableProps {
  label: string;
  schema: Schema;
  /** A value of the schema, from a recorded call. */
  example?: unknown;
  /** If set, the fields of objects with a schema name are shown too. */
  schemas?: Record<string, Schema>;
}

/**
 * The fields of an object, followed by the fields of the objects inside it. Objects that have a schema name are linked
 * instead.
 */
export function FieldTable({ label, schema, example, schemas = {} }: FieldTableProps) {
  const fields = fieldsOf(schema, '', example, schemas);
  if (fields.length === 0) return <p>{schema.description || 'An empty object: no field is taken.'}</p>;
  return (
    <>
      {schema.minProperties === 1 && <p>At least one of:</p>}
      <Fields label={label} fields={fields} />
    </>
  );
}

export function ParameterTable({ parameters }: { parameters: Parameter[] }) {
  const fields = parameters.map(({ in: place, name, required = false, description, schema }) => ({
    prefix: '',
    name,
    required,
    schema,
    about: description ?? schema.description,
    place,
  }));
  return <Fields label="Parameters" fields={fields} />;
}

function Fields({ label, fields }: { label: string; fields: (Field & { place?: string })[] }) {
  const rows = fields.map(({ prefix, name, required, schema, about, place, example }) => [
    <>
      <code class="field">
        <span class="prefix">
          <Breakable name={prefix} />
        </span>
        <Breakable name={name} />
      </code>
      {required && <span class="required">required</span>}
      {place && <span class="place">in {place}</span>}
    </>,
    <Type schema={schema} />,
    <>
      <Paragraph text={about} />
      <Limits schema={schema} example={example} />
    </>,
  ]);
  return <Table label={label} kind="fields" columns={['Name', 'Type', 'What it is']} rows={rows} />;
}

/** Lets a long name break between its words. */
function Breakable({ name }: { name: string }) {
  return <>{name.split(/(?<=[_.])/).flatMap((part) => [part, <wbr />])}</>;
}

function fieldsOf(schema: Schema, prefix: string, of: unknown, schemas: Record<string, Schema>): Field[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, schema]) => {
    const example = memberOf(of, name);
    const inner = resolve(withoutNull(schema), schemas);
    const about = schema.description ?? inner.description;
    const field = { prefix, name, schema, about, required: required.includes(name), example };
    if (inner.properties) return [field, ...fieldsOf(inner, `${prefix}${name}.`, example, schemas)];
    const items = inner.items && resolve(inner.items, schemas);
    const first = Array.isArray(example) ? example[0] : undefined;
    if (items?.properties) return [field, ...fieldsOf(items, `${prefix}${name}[].`, first, schemas)];
    return [field];
  });
}

/** `string`, `array of Product`, `number or null`; names of objects are links. */
export function Type({ schema }: { schema: Schema }) {
  const name = refName(schema);
  if (name) return <a href={pathOf.object(name)}>{name.split(/(?=[A-Z])/).flatMap((part) => [<wbr />, part])}</a>;
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants) {
    const types = variants.map((each) => <Type schema={each} />);
    return <>{joined(types, ' or ')}</>;
  }
  const types = [schema.type ?? 'any'].flat();
  const words = types.join(' or ');
  if (types[0] === 'array' && schema.items) {
    return (
      <>
        array of <Type schema={schema.items} />
        {types.slice(1).map((type) => ` or ${type}`)}
      </>
    );
  }
  return <>{schema.format ? `${words} (${schema.format})` : words}</>;
}

function Limits({ schema, example }: { schema: Schema; example: unknown }) {
  const known = withoutNull(schema);
  const values = valuesOf(known);
  const said = exampleOf(schema, known, example);
  const limits = [
    range(known.minimum, known.maximum, ''),
    range(known.minLength, known.maxLength, ' characters'),
    range(known.minItems, known.maxItems, ' entries'),
    schema.default === undefined || schema.default === '' ? '' : `default ${String(schema.default)}`,
  ].filter(Boolean);
  return (
    <>
      {values.length > 0 && <ValueList values={values} />}
      {limits.length > 0 && <p class="limits">{limits.join(' · ')}</p>}
      {said !== null && values.length === 0 && (
        <p class="limits">
          For example <code>{said}</code>
        </p>
      )}
    </>
  );
}

/** The possible values of a field, or of the items of a list. */
function valuesOf(schema: Schema): unknown[] {
  const { enum: values = schema['x-known-values'], const: only, items } = schema;
  return (values ?? (only === undefined ? (items ? valuesOf(items) : []) : [only])).filter((value) => value !== '');
}

function ValueList({ values }: { values: unknown[] }) {
  const path = valuesPath(values);
  const codes = values.map((value) => <code>{String(value)}</code>);
  return (
    <p class="limits">
      {values.length > 1 ? 'One of ' : 'Always '}
      {joined(codes, ' ')}
      {path !== null && (
        <>
          {' '}
          <a href={path}>what they mean</a>
        </>
      )}
    </p>
  );
}

const EXAMPLE_MAX = 60;

/** A short example: the schema's, else the recorded one. */
function exampleOf(schema: Schema, known: Schema, recorded: unknown): string | null {
  const value = schema.example ?? schema.examples?.[0] ?? known.example ?? known.examples?.[0] ?? recorded;
  if (!['string', 'number', 'boolean'].includes(typeof value) || value === '') return null;
  const text = String(value);
  return text.length > EXAMPLE_MAX ? `${text.slice(0, EXAMPLE_MAX)}…` : text;
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const from = min?.toLocaleString('en');
  const to = max?.toLocaleString('en');
  if (from && to) return `${from} to ${to}${unit}`;
  if (to) return `at most ${to}${unit}`;
  return from ? `at least ${from}${unit}` : '';
}

/** A list of values with their meanings. */
interface Values {
  title: string;
  meanings: Map<string, string>;
}

/** The lists of the page "Values", read from its text. */
export const valueLists = once((): Values[] =>
  text
    .split('\n## ')
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n');
      const rows = lines.filter((line) => line.startsWith('| `')).map(cellsOf);
      return { title, meanings: new Map(rows.map(([value = '', meaning = '']) => [value.slice(1, -1), meaning])) };
    }),
);

/** The path to the meanings of these values: the shortest list that contains all of them; null if there is none. */
export function valuesPath(values: readonly unknown[]): string | null {
  // An empty text and null mean that a value is missing.
  const said = values.filter((value) => value !== '' && value !== null);
  const having = valueLists().filter(({ meanings }) => said.every((value) => meanings.has(String(value))));
  const [list] = having.toSorted((a, b) => a.meanings.size - b.meanings.size);
  return list && said.length > 1 ? `/docs/values#${anchorOf(list.title)}` : null;
}
