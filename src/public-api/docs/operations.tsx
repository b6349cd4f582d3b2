import { EXAMPLES } from '../examples/calls';
import { recordedOf } from '../examples/recorded';
import { blockText } from '../examples/shell';
import type { Answer, Listed, Reference } from './document';
import { anchorOf, refName, resolve } from './document';
import { FieldTable, ParameterTable, Type } from './fields';
import { Code, ErrorLink, Json, Paragraph, Prose, Table } from './text';

type Schemas = Reference['schemas'];

export function Operations({ groups, schemas }: Pick<Reference, 'groups' | 'schemas'>) {
  return (
    <>
      {groups.map(({ name, operations }) => (
        <section aria-labelledby={anchorOf(name)}>
          <h2 id={anchorOf(name)}>{name}</h2>
          {operations.map((operation) => (
            <OperationSection operation={operation} schemas={schemas} />
          ))}
        </section>
      ))}
    </>
  );
}

function OperationSection({ operation, schemas }: { operation: Listed; schemas: Schemas }) {
  const { operationId, method, path, summary, parameters, requestBody, responses } = operation;
  const example = EXAMPLES[operationId];
  const recorded = recordedOf(operationId);
  const answers = Object.entries(responses).filter(([status]) => Number(status) < 400);
  return (
    <article class="operation" aria-labelledby={operationId}>
      <h3 id={operationId}>{summary}</h3>
      <p class="endpoint">
        <span class={`method ${method}`}>{method.toUpperCase()}</span> <code>{path}</code>
      </p>
      <div class="about">
        <About operation={operation} />
        {parameters && (
          <>
            <h4>Parameters</h4>
            <ParameterTable parameters={parameters} />
          </>
        )}
        {requestBody && <Body body={requestBody} schemas={schemas} />}
        <h4>Answers</h4>
        {answers.map(([status, answer]) => (
          <AnswerFields status={status} answer={answer} />
        ))}
        <h4>Errors</h4>
        <Errors responses={responses} />
      </div>
      <div class="try">
        {example && <Code label="Request" text={blockText(example)} whole />}
        {recorded && <Json label={`Answer ${recorded.status}`} value={recorded.answer} />}
      </div>
    </article>
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
      <h4>Body{required ? '' : ' (optional)'}</h4>
      {Object.entries(content).map(([type, { schema }]) => (
        <>
          <p>
            <code>{type}</code>
          </p>
          <FieldTable label={`Body, ${type}`} schema={resolve(schema, schemas)} />
        </>
      ))}
    </>
  );
}

function AnswerFields({ status, answer }: { status: string; answer: Answer }) {
  return (
    <>
      {!answer.content && (
        <p>
          <span class="status">{status}</span> <Prose text={answer.description} />
        </p>
      )}
      {Object.values(answer.content ?? {}).map(({ schema }) => (
        <>
          <p>
            <span class="status">{status}</span> <Prose text={answer.description} />{' '}
            {refName(schema) && <Type schema={schema} />}
          </p>
          {!refName(schema) && <FieldTable label={`Answer ${status}`} schema={schema} />}
        </>
      ))}
    </>
  );
}

function Errors({ responses }: Pick<Listed, 'responses'>) {
  const problems = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const rows = problems.map(([status, { content = {} }]) => [
    <span class="status">{status}</span>,
    <ul class="codes">
      {Object.keys(content['application/problem+json']?.examples ?? {}).map((code) => (
        <li>
          <ErrorLink code={code} />
        </li>
      ))}
    </ul>,
  ]);
  return <Table label="Errors" kind="errors" columns={['Status', 'Code']} rows={rows} />;
}

export function Objects({ schemas }: { schemas: Schemas }) {
  return (
    <section aria-labelledby="objects">
      <h2 id="objects">Objects</h2>
      {Object.entries(schemas).map(([name, schema]) => (
        <article class="object" aria-labelledby={`object-${anchorOf(name)}`}>
          <h3 id={`object-${anchorOf(name)}`}>{name}</h3>
          <Paragraph text={schema.description} />
          <FieldTable label={name} schema={schema} />
        </article>
      ))}
    </section>
  );
}
