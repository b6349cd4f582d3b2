import { anchorOf, type Parameter, refName, type Schema, withoutNull } from './document';
import { joined, Paragraph, Table } from './text';

interface Field {
  /** Path before the name of a field, such as `payload.items[].`. */
  prefix: string;
  name: string;
  schema: Schema;
  required: boolean;
}

/**
 * The fields of an object, followed by the fields of the objects inside it. Objects that have a schema name are linked
 * instead.
 */
export function FieldTable({ label, schema }: { label: string; schema: Schema }) {
  const fields = fieldsOf(schema, '');
  if (fields.length === 0) return <WithoutFields schema={schema} />;
  return (
    <>
      {schema.minProperties === 1 && <p>At least one of:</p>}
      <Fields label={label} fields={fields} />
    </>
  );
}

/** An object that can have several forms, or that has no fields. */
function WithoutFields({ schema: { oneOf = [], description = '' } }: { schema: Schema }) {
  if (oneOf.length === 0) return <p>{description || 'An empty object: no field is taken.'}</p>;
  return (
    <>
      <p>One of:</p>
      <ul>
        {oneOf.map((each) => (
          <li>
            <Type schema={each} />
          </li>
        ))}
      </ul>
    </>
  );
}

export function ParameterTable({ parameters }: { parameters: Parameter[] }) {
  const fields = parameters.map(({ in: place, name, required = false, description, schema }) => ({
    prefix: '',
    name,
    required,
    schema: { description, ...schema },
    place,
  }));
  return <Fields label="Parameters" fields={fields} />;
}

function Fields({ label, fields }: { label: string; fields: (Field & { place?: string })[] }) {
  const rows = fields.map(({ prefix, name, required, schema, place }) => [
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
      <Paragraph text={schema.description ?? withoutNull(schema).description} />
      <Limits schema={schema} />
    </>,
  ]);
  return <Table label={label} kind="fields" columns={['Name', 'Type', 'What it is']} rows={rows} />;
}

/** Lets a long name break between its words. */
function Breakable({ name }: { name: string }) {
  return <>{name.split(/(?<=[_.])/).flatMap((part) => [part, <wbr />])}</>;
}

function fieldsOf({ properties = {}, required = [] }: Schema, prefix: string): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = { prefix, name, schema, required: required.includes(name) };
    const inner = withoutNull(schema);
    if (inner.properties) return [field, ...fieldsOf(inner, `${prefix}${name}.`)];
    if (inner.items?.properties) return [field, ...fieldsOf(inner.items, `${prefix}${name}[].`)];
    return [field];
  });
}

/** `string`, `array of Product`, `number or null`; names of objects are links. */
export function Type({ schema }: { schema: Schema }) {
  const name = refName(schema);
  if (name) return <a href={`/docs#object-${anchorOf(name)}`}>{name}</a>;
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

function Limits({ schema }: { schema: Schema }) {
  const known = withoutNull(schema);
  const values = known.enum ?? (known.const === undefined ? [] : [known.const]);
  const limits = [
    range(meant(known.minimum), meant(known.maximum), ''),
    range(known.minLength, known.maxLength, ' characters'),
    range(known.minItems, known.maxItems, ' entries'),
    schema.default === undefined || schema.default === '' ? '' : `default ${String(schema.default)}`,
  ].filter(Boolean);
  return (
    <>
      {values.length > 0 && (
        <p class="limits">
          {values.length > 1 ? 'One of ' : 'Always '}
          {joined(
            values.map((value) => <code>{String(value)}</code>),
            ' ',
          )}
        </p>
      )}
      {limits.length > 0 && <p class="limits">{limits.join(' · ')}</p>}
    </>
  );
}

/** Zod gives every integer the limits of its type; the reference shows only limits that a schema sets itself. */
function meant(limit: number | undefined): number | undefined {
  return limit !== undefined && Math.abs(limit) === Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const from = min?.toLocaleString('en');
  const to = max?.toLocaleString('en');
  if (from && to) return `${from} to ${to}${unit}`;
  if (to) return `at most ${to}${unit}`;
  return from ? `at least ${from}${unit}` : '';
}
