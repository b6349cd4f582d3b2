import { pathOf, type Reference, resolve } from './document';
import { FieldTable } from './fields';
import { Json, Paragraph, Prose } from './text';

/** Every object that calls take and answer, each with a page of its own. */
export function ObjectsPage({ schemas }: Reference) {
  return (
    <>
      <h1>Objects</h1>
      <p>What calls take and answer, by name; the names are those of the schemas in the OpenAPI document.</p>
      <dl class="objects">
        {Object.entries(schemas).map(([name, { description = '' }]) => (
          <>
            <dt>
              <a href={pathOf.object(name)}>{name}</a>
            </dt>
            <dd>
              <Prose text={description} />
            </dd>
          </>
        ))}
      </dl>
    </>
  );
}

export function ObjectPage({ schemas, examples, name }: Reference & { name: string }) {
  const schema = resolve(schemas[name] ?? {}, schemas);
  const example = examples.get(name);
  return (
    <article class="operation" aria-labelledby="object">
      <p class="crumb">
        <a href="/docs/objects">Objects</a>
      </p>
      <h1 id="object">{name}</h1>
      <div class="about">
        <Paragraph text={schema.description} />
        <FieldTable label={name} schema={schema} example={example} />
      </div>
      <div class="try">{example !== undefined && <Json label="For example" value={example} />}</div>
    </article>
  );
}
