import type { Child } from '../../platform/markup/markup';
import { callsDocument, openApiDocument, webhooksDocument } from '../openapi';
import { endpoints } from '../routes';
import { pathOf, type Reference, readReference } from './document';
import receiver from './downloads/receiver.js' with { type: 'text' };
import server from './downloads/server.js' with { type: 'text' };
import { ErrorsPage } from './errors';
import { GuidePage, guideText } from './guides';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';
import { llmsText } from './llms';
import { ObjectPage, ObjectsPage } from './objects';
import { AreaPage, OperationPage } from './operations';
import { Page } from './page';
import { schemaFile, schemaNames } from './schemas';
import { entriesOf, SearchPage } from './search';
import { SignaturesPage } from './signatures';
import { EventPage, WebhooksPage } from './webhooks';

interface DocsPage {
  title: string;
  content: () => Child;
}

/**
 * Every file of the reference, ready to be served, by its path; pages end with `.html`.
 * @param baseUrl the one that texts name
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
  // SAFETY: the document of everything has these parts.
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
    // In place of the area's page: it has the area's calls, too.
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
