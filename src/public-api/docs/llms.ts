import { pathOf, type Reference } from './document';
import { CHANGELOG, GUIDES, VALUES } from './guides/list';

/** What the service is and where everything stands, for programs that read (llmstxt.org). */
export function llmsText({ baseUrl, groups, webhooks }: Reference): string {
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
