import type { Child } from 'hono/jsx';
import { endpoints } from '../../src/public-api/routes';
import { pathOf, type Reference, readReference, schemaFile, schemaNames } from './document';
import receiver from './downloads/receiver.js' with { type: 'text' };
import server from './downloads/server.js' with { type: 'text' };
import { ErrorsPage, SignaturesPage } from './errors';
import { GuidePage, guideText } from './guides';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';
import { callsDocument, openApiDocument, webhooksDocument } from './openapi/openapi';
import { AreaPage, ObjectPage, ObjectsPage, OperationPage } from './operations';
import { entriesOf, Page, SearchPage } from './page';
import { EventPage, WebhooksPage } from './webhooks';

interface DocsPage {
  title: string;
  content: () => Child;
}

/**
 * Every file of the reference, ready to serve, by path. Paths of pages end with `.html`.
 * @param baseUrl the base URL in texts
 */
export function siteFiles(baseUrl: string): Map<string, string> {
  const reference = readReference(baseUrl);
  const pages = pagesOf(reference).map(([path, { title, content }]): [string, string] => [
    `${path}.html`,
    `<!doctype html>${(
      <Page path={path} title={title} reference={reference}>
        {content()}
      </Page>
    )}`,
  ]);
  // SAFETY: the whole document has these parts.
  const whole = openApiDocument(baseUrl, endpoints) as unknown as Parameters<typeof callsDocument>[0];
  return new Map([
    ...pages,
    ...[...GUIDES, CHANGELOG, VALUES].map((guide): [string, string] => [
      guide.path === '/docs' ? '/docs/first-order.md' : `${guide.path}.md`,
      guideText(guide, baseUrl),
    ]),
    ...schemaNames().map((name): [string, string] => [`/docs/schemas/${name}`, schemaFile(reference, name)]),
    ['/docs/receiver.js', receiver],
    ['/docs/server.js', server],
    ['/docs/search.json', JSON.stringify(entriesOf(reference))],
    ['/llms.txt', llmsText(reference)],
    ['/api/v2/public/openapi.json', JSON.stringify(callsDocument(whole))],
    ['/api/v2/public/webhooks.json', JSON.stringify(webhooksDocument(whole))],
  ]);
}

function pagesOf(reference: Reference): [string, DocsPage][] {
  const { groups, webhooks, schemas } = reference;
  const page = (path: string, title: string, content: () => Child): [string, DocsPage] => [path, { title, content }];
  return [
    ...[...GUIDES, CHANGELOG, VALUES].map((guide) =>
      page(guide.path, guide.title, () => <GuidePage {...reference} guide={guide} />),
    ),
    ...groups.map((group) => page(pathOf.area(group.name), group.name, () => <AreaPage {...group} />)),
    ...groups.flatMap(({ operations }) =>
      operations.map((operation) =>
        page(pathOf.operation(operation), operation.summary, () => (
          <OperationPage {...reference} operation={operation} />
        )),
      ),
    ),
    // Replaces the area's page, and lists the area's calls too.
    page('/docs/webhooks', 'Webhooks', () => <WebhooksPage {...reference} />),
    ...webhooks.flatMap(({ events }) =>
      events.map(({ type, operation }) =>
        page(pathOf.event(type), type, () => <EventPage {...reference} type={type} operation={operation} />),
      ),
    ),
    page('/docs/signatures', 'Verify a signature', () => <SignaturesPage />),
    page('/docs/errors', 'Errors', () => <ErrorsPage {...reference} />),
    page('/docs/search', 'Everything', () => <SearchPage {...reference} />),
    page('/docs/objects', 'Objects', () => <ObjectsPage {...reference} />),
    ...Object.keys(schemas).map((name) =>
      page(pathOf.object(name), name, () => <ObjectPage {...reference} name={name} />),
    ),
  ];
}

/** llms.txt: describes the service and links all pages, for language models (llmstxt.org). */
function llmsText({ baseUrl, groups, webhooks }: Reference): string {
  const link = (path: string, title: string, about = '') =>
    `- [${title}](${baseUrl}${path})${about ? `: ${about}` : ''}`;
  const calls = groups.flatMap(({ name, operations }) => [
    `### ${name}`,
    '',
    ...operations.map((operation) =>
      link(pathOf.operation(operation), operation.summary, `\`${operation.method.toUpperCase()} ${operation.path}\``),
    ),
    '',
  ]);
  return [
    '# Offizin API',
    '',
    '> Pharmacy commerce: order requests with prescriptions from platforms (connector), an organization API for shops, products, inventory, review, orders and payments, and signed webhooks.',
    '',
    'Bodies are JSON. The connector takes an integration key in the header `apikey`; the organization API takes an access token that an API key is exchanged for. Every error is a problem document (RFC 9457) with a stable `code`.',
    '',
    '## Guides',
    '',
    ...GUIDES.map(({ path, title, about }) =>
      link(path === '/docs' ? '/docs/first-order.md' : `${path}.md`, title, about),
    ),
    '',
    '## Reference',
    '',
    link('/api/v2/public/openapi.json', 'OpenAPI 3.1 document', 'every call, schema and error'),
    link('/api/v2/public/webhooks.json', 'OpenAPI 3.1 document of the webhooks', 'every event'),
    link('/docs/errors', 'Errors', 'every code and which calls answer it'),
    link(`${VALUES.path}.md`, VALUES.title, VALUES.about),
    link('/docs/signatures', 'Verify a signature', 'snippets in several languages'),
    link(`${CHANGELOG.path}.md`, CHANGELOG.title, CHANGELOG.about),
    '',
    '## Calls',
    '',
    ...calls,
    '## Events',
    '',
    ...webhooks.flatMap(({ events }) =>
      events.map(({ type }) => link(`/docs/schemas/${type}.json`, type, 'JSON Schema')),
    ),
    '',
  ].join('\n');
}
