import type { Child } from '../../platform/markup/markup';
import { pathOf, type Reference, readReference } from './document';
import { ErrorsPage } from './errors';
import { GuidePage } from './guides';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';
import { ObjectPage, ObjectsPage } from './objects';
import { AreaPage, OperationPage } from './operations';
import { SignaturesPage } from './signatures';
import { EventPage, WebhooksPage } from './webhooks';

/** A page of the reference, made when it is asked for. */
export interface DocsPage {
  title: string;
  content: () => Child;
}

let pages: Map<string, DocsPage> | undefined;

/** Every page by its path but the search, once per isolate: the document takes milliseconds and never changes. */
export function pagesOf(baseUrl: string): Map<string, DocsPage> {
  pages ??= new Map(listOf(readReference(baseUrl)));
  return pages;
}

function listOf(reference: Reference): [string, DocsPage][] {
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
    page('/docs/objects', 'Objects', () => <ObjectsPage {...reference} />),
    ...Object.keys(schemas).map((name) =>
      page(pathOf.object(name), name, () => <ObjectPage {...reference} name={name} />),
    ),
  ];
}
