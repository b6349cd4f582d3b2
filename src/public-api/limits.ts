import { PAYLOAD_BYTES_MAX } from '../order-requests/limits';
import { BODY_BYTES_MAX, REQUESTS_PER_MINUTE } from '../platform/limits';
import { PDF_BYTES_MAX } from '../prescriptions/limits';
import { sizeOf } from './amounts';
import { LIMIT_DEFAULT, LIMIT_MAX } from './paging';

/** The limits of the service, as the OpenAPI document and the reference list them. */
export const LIMITS: readonly (readonly [what: string, limit: string])[] = [
  ['Connector, requests', `${REQUESTS_PER_MINUTE.connector} per minute and key, then 429 \`rate_limited\``],
  [
    'Organization API, requests',
    `${REQUESTS_PER_MINUTE.organizationApi} per minute and key, then 429 \`rate_limited\``,
  ],
  [
    'Access tokens, requests',
    `${REQUESTS_PER_MINUTE.token} per minute and key, then 429 \`rate_limited\`; reuse a token for its hour`,
  ],
  ['Connector, body', `${sizeOf(BODY_BYTES_MAX.connector)}, then 413 \`body_too_large\``],
  ['Prescription (PDF, decoded)', `${sizeOf(PDF_BYTES_MAX)}, then 400 \`prescription_too_large\``],
  ['Order request without the PDF', `${sizeOf(PAYLOAD_BYTES_MAX)}, then 400 \`payload_too_large\``],
  ['Organization API, body', `${sizeOf(BODY_BYTES_MAX.organizationApi)}, then 413 \`body_too_large\``],
  ['Access tokens, body', `${sizeOf(BODY_BYTES_MAX.token)}, then 413 \`body_too_large\``],
  ['Page of a list', `${LIMIT_DEFAULT} entries, with \`limit\` 1 to ${LIMIT_MAX}`],
];
