import { anchorOf, pathOf, type Reference } from './document';
import { EXAMPLES, WALKTHROUGH } from './examples/calls';
import { blockText, startText } from './examples/snippets';
import { CHANGELOG, GUIDES, type Guide, VALUES } from './guides/list';
import { LIMITS } from './openapi/limits';
import { ExampleTabs, StartTabs } from './operations';
import { type Inserts, Markdown, Prose, Table } from './text';

export function GuidePage({ guide, ...reference }: Reference & { guide: Guide }) {
  return <Markdown text={guide.text.replaceAll('{{base_url}}', reference.baseUrl)} inserts={insertsFor(reference)} />;
}

/** A guide as Markdown, with inserts as text. */
export function guideText(guide: Guide, baseUrl: string): string {
  const fenced = (text: string) => `\`\`\`sh\n${text}\n\`\`\``;
  const inserted: Record<string, () => string> = {
    start: () => fenced(startText(baseUrl)),
    submit: () => fenced(blockText(EXAMPLES.submitOrderRequest ?? WALKTHROUGH)),
    walkthrough: () => fenced(blockText(WALKTHROUGH)),
    limits: () => LIMITS.map(([what, limit]) => `- ${what}: ${limit}`).join('\n'),
    guides: () =>
      GUIDES.slice(1)
        .map(({ path, title, about }) => `- [${title}](${path}.md): ${about}`)
        .join('\n'),
    areas: () => `All calls: [llms.txt](${baseUrl}/llms.txt), [openapi.json](${baseUrl}/api/v2/public/openapi.json).`,
  };
  const lines = guide.text.replaceAll('{{base_url}}', baseUrl).split('\n');
  return lines.map((line) => (line.startsWith('{{') ? (inserted[line.slice(2, -2)]?.() ?? '') : line)).join('\n');
}

const HAND_OVER = 'From request to hand-over';

function insertsFor(reference: Reference): Inserts {
  return {
    start: () => <StartTabs baseUrl={reference.baseUrl} />,
    submit: () => <ExampleTabs label="Send an order request" name="submit" example={EXAMPLES.submitOrderRequest} />,
    walkthrough: () => <ExampleTabs label={HAND_OVER} example={WALKTHROUGH} name={anchorOf(HAND_OVER)} />,
    limits: () => <Limits />,
    guides: () => <Cards cards={GUIDES.slice(1).map(({ path, title, about }) => [path, title, about])} />,
    areas: () => (
      <Cards
        cards={[
          ...reference.groups.map(({ name, description }) => [pathOf.area(name), name, description] as const),
          ['/docs/errors', 'Errors', 'Every code, its meaning, and which calls answer it.'],
          [VALUES.path, VALUES.title, VALUES.about],
          ['/docs/objects', 'Objects', 'What calls take and answer, field by field.'],
          [CHANGELOG.path, CHANGELOG.title, CHANGELOG.about],
        ]}
      />
    ),
  };
}

function Cards({ cards }: { cards: readonly (readonly [href: string, title: string, about: string])[] }) {
  return (
    <ul class="cards">
      {cards.map(([href, title, about]) => (
        <li>
          <a href={href}>{title}</a>
          <p>{about}</p>
        </li>
      ))}
    </ul>
  );
}

function Limits() {
  return (
    <Table
      label="Limits"
      kind="headers"
      columns={['What', 'Limit']}
      rows={LIMITS.map(([what, limit]) => [what, <Prose text={limit} />])}
    />
  );
}
