import { type Answer, codesOf, type Group, type Listed, pathOf, type Reference, refName, resolve } from './document';
import { EXAMPLES } from './examples/calls';
import { recordedOf } from './examples/recorded';
import {
  blockText,
  type Example,
  pythonStart,
  pythonText,
  startText,
  typescriptStart,
  typescriptText,
} from './examples/snippets';
import { FieldTable, ParameterTable, Type } from './fields';
import { ErrorLink, Json, Paragraph, Prose, Table, Tabs } from './text';

/** The operations of an area with links to their pages. */
export function Operations({ operations }: Pick<Group, 'operations'>) {
  return (
    <ul class="calls">
      {operations.map((operation) => (
        <li>
          <a href={pathOf.operation(operation)}>{operation.summary}</a>
          <Address method={operation.method} path={operation.path.replace('/api/v2/public/orgs/{orgId}', '')} />
        </li>
      ))}
    </ul>
  );
}

export function AreaPage({ name, description, operations }: Group) {
  return (
    <>
      <h1>{name}</h1>
      <p>{description}</p>
      <Operations operations={operations} />
    </>
  );
}

function Address({ method, path }: Pick<Listed, 'method' | 'path'>) {
  return (
    <p class="endpoint">
      <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
    </p>
  );
}

interface OperationPageProps extends Reference {
  operation: Listed;
}

export function OperationPage({ operation, schemas, examples }: OperationPageProps) {
  const { operationId, tags, method, path, summary, parameters, requestBody, responses } = operation;
  const [area = ''] = tags;
  const example = EXAMPLES[operationId];
  const recorded = recordedOf(operationId);
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return (
    <article class="operation" aria-labelledby={operationId}>
      <p class="crumb">
        <a href={pathOf.area(area)}>{area}</a>
      </p>
      <h1 id={operationId}>{summary}</h1>
      <Address method={method} path={path.startsWith('/api/v1') ? `{shop_url}${path}` : path} />
      <div class="about">
        <About operation={operation} />
        {parameters && (
          <>
            <h2>Parameters</h2>
            <ParameterTable parameters={parameters} />
          </>
        )}
        {requestBody && <Body body={requestBody} schemas={schemas} />}
        <h2>Answers</h2>
        {answers.map(([status, answer]) => (
          <AnswerFields status={status} answer={answer} schemas={schemas} examples={examples} />
        ))}
        <h2>Errors</h2>
        <Errors responses={responses} />
      </div>
      <div class="try">
        {example && <ExampleTabs label="Request" example={example} name={operationId} />}
        {recorded && <Json label={`Answer ${recorded.status}`} value={recorded.answer} />}
        {example && (
          <p class="hint">
            Variables and <code>call</code> come from <a href="/docs#getting-started">Getting started</a>.
          </p>
        )}
      </div>
    </article>
  );
}

/** An example in each language. @param name unique on its page */
export function ExampleTabs({ label, example, name }: { label: string; example?: Example; name: string }) {
  if (!example) return null;
  return (
    <Tabs
      label={label}
      name={name}
      blocks={[
        ['curl', blockText(example)],
        ['TypeScript', typescriptText(example)],
        ['Python', pythonText(example)],
      ]}
    />
  );
}

/** The setup that the examples need, in each language. */
export function StartTabs({ baseUrl }: Pick<Reference, 'baseUrl'>) {
  return (
    <Tabs
      label="Getting started"
      name="getting-started"
      blocks={[
        ['curl', startText(baseUrl)],
        ['TypeScript', typescriptStart(baseUrl)],
        ['Python', pythonStart(baseUrl)],
      ]}
    />
  );
}

function About({ operation: { description, security } }: { operation: Listed }) {
  const scope = security[0]?.accessToken?.[0];
  const [words = ''] = description.split(`Scope: \`${scope}\``);
  return (
    <>
      <Paragraph text={words} />
      <p>
        {scope ? (
          <>
            Scope <code>{scope}</code>
          </>
        ) : (
          'Authenticated with an API key instead of a token.'
        )}
      </p>
    </>
  );
}

interface BodyProps extends Pick<Reference, 'schemas'> {
  body: NonNullable<Listed['requestBody']>;
}

function Body({ body: { content, required }, schemas }: BodyProps) {
  return (
    <>
      <h2>Body{required ? '' : ' (optional)'}</h2>
      {Object.entries(content).map(([type, { schema, example }]) => (
        <>
          <p>
            <code>{type}</code>
          </p>
          <FieldTable label={`Body, ${type}`} schema={resolve(schema, schemas)} example={example} schemas={schemas} />
        </>
      ))}
    </>
  );
}

interface AnswerProps extends Pick<Reference, 'schemas' | 'examples'> {
  status: string;
  answer: Answer;
}

function AnswerFields({ status, answer, schemas, examples }: AnswerProps) {
  return (
    <>
      {!answer.content && (
        <p>
          <span class="status">{status}</span> <Prose text={answer.description} />
        </p>
      )}
      {Object.values(answer.content ?? {}).map(({ schema, example }) => {
        const name = refName(schema);
        return (
          <>
            <p>
              <span class="status">{status}</span> <Prose text={answer.description} />{' '}
              {name && <Type schema={schema} />}
            </p>
            {name ? (
              <details class="more">
                <summary>Fields of {name}</summary>
                <FieldTable label={name} schema={resolve(schema, schemas)} example={examples.get(name)} />
              </details>
            ) : (
              <FieldTable label={`Answer ${status}`} schema={schema} example={example} />
            )}
          </>
        );
      })}
    </>
  );
}

function Errors({ responses }: Pick<Listed, 'responses'>) {
  const problems = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const rows = problems.map(([status, answer]) => [
    <span class="status">{status}</span>,
    <ul class="codes">
      {codesOf(answer).map((code) => (
        <li>
          <ErrorLink code={code} />
        </li>
      ))}
    </ul>,
  ]);
  return <Table label="Errors" kind="errors" columns={['Status', 'Code']} rows={rows} />;
}

/** The page of all objects in requests and responses, with links to their pages. */
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
