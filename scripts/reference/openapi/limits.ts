import { PAYLOAD_BYTES_MAX } from '../../../src/order-requests/limits';
import type { ErrorCode } from '../../../src/platform/errors/error-codes';
import { statusOf } from '../../../src/platform/http/http';
import { BODY_BYTES_MAX, PAGE_LIMIT, PDF_BYTES_MAX, REQUESTS_PER_MINUTE } from '../../../src/platform/limits';
import { sizeOf } from '../error-meanings';

const rate = (requests: number) => `${requests} per minute and key, then 429 \`rate_limited\``;
const size = (bytes: number, code: ErrorCode) => `${sizeOf(bytes)}, then ${statusOf(code)} \`${code}\``;

/** The limits of the service, listed in the OpenAPI document and the reference. */
export const LIMITS: readonly (readonly [what: string, limit: string])[] = [
  ['Connector, requests that submit or change', rate(REQUESTS_PER_MINUTE.connector)],
  ['Connector, requests that read', rate(REQUESTS_PER_MINUTE.connectorReads)],
  ['Organization API, requests', rate(REQUESTS_PER_MINUTE.organizationApi)],
  ['Access tokens, requests', `${rate(REQUESTS_PER_MINUTE.token)}; reuse a token for its hour`],
  ['Connector, body', size(BODY_BYTES_MAX.connector, 'body_too_large')],
  ['Prescription (PDF, decoded)', size(PDF_BYTES_MAX, 'prescription_too_large')],
  ['Order request without the PDF', size(PAYLOAD_BYTES_MAX, 'payload_too_large')],
  ['Organization API, body', size(BODY_BYTES_MAX.organizationApi, 'body_too_large')],
  ['Bulk commands, body', size(BODY_BYTES_MAX.bulk, 'body_too_large')],
  ['Access tokens, body', size(BODY_BYTES_MAX.token, 'body_too_large')],
  [
    'Page of a list',
    `${PAGE_LIMIT.organizationApi.default} entries, with \`limit\` 1 to ${PAGE_LIMIT.organizationApi.max}`,
  ],
];
