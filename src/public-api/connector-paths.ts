import * as z from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi';
import { supplementSchema } from '../order-requests/service';
import type { ProblemCode } from '../platform/error-codes';
import { offeredPageSchema, offeredQuerySchema, ownShopSchema } from '../wire/offered';
import { byReferenceSchema, sentRequestSchema, withdrawnSchema } from '../wire/sent-requests';
import { headersOf, parametersOf } from './headers';
import {
  answerOf,
  BODY_ERRORS,
  CONNECTOR_ERRORS,
  connectorPath,
  INTEGRATION_KEY,
  KEY_ERRORS,
  requestExample,
  shopServers,
} from './paths';
import type { ProblemResponses } from './problems';

const SUBMITTED = '/api/v1/external-order';

const REASONS =
  '`reason_code` is `prescription_invalid` for a prescription that cannot be supplied from as it is (unreadable, incomplete, signature, person, items or quantity), `not_available` for what this shop does not sell or may not send, and `other` for everything that a platform cannot change.';

const sentId = { description: 'Id from the answer to the submission.', param: { id: 'sentRequestId' } };
const byId = { path: z.object({ id: z.string().meta(sentId) }) };

const unchanged = { 304: { description: 'What you have is current.', headers: headersOf('ETag') } };
const reads = { parameters: parametersOf('If-None-Match') };
const keyed = { parameters: parametersOf('Idempotency-Key') };

/** What a platform calls on a shop's own address. */
export function connectorPaths(problems: ProblemResponses, baseUrl: string): ZodOpenApiPathsObject {
  const servers = shopServers(baseUrl);
  const { [SUBMITTED]: submission } = connectorPath(problems, baseUrl);
  const operation = operationsOf(problems);
  return {
    [SUBMITTED]: {
      ...submission,
      get: operation('findOrderRequest', 'Status of an order request by reference', {
        description: `The newest request that this integration sent to this shop with the reference. White space around it does not count. For polling, send the ETag back as \`If-None-Match\`; a callback of the integration tells sooner. ${REASONS}`,
        requestParams: { query: byReferenceSchema },
        ...reads,
        responses: { 200: statusAnswer('findOrderRequest'), ...unchanged },
        errors: ['validation_failed', 'order_request_not_found', 'method_not_allowed'],
      }),
    },
    [`${SUBMITTED}/{id}`]: {
      servers,
      get: operation('getOrderRequestStatus', 'Status of an order request', {
        description: `Only for the integration that sent it, on the shop's address that it was sent to. After the person was erased it is 404. ${REASONS}`,
        requestParams: byId,
        ...reads,
        responses: { 200: statusAnswer('getOrderRequestStatus'), ...unchanged },
        errors: ['validation_failed', 'order_request_not_found'],
      }),
      delete: operation('withdrawOrderRequest', 'Withdraw an order request', {
        description:
          'A pending request is deleted with its personal data: 200, `withdrawal` `accepted`. An order that is neither handed over nor shipped is put on hold until staff accept, which cancels it, or refuse: 202, `withdrawal` `requested`; the status and `order_updated` tell how they decided. Safe to repeat: once staff have accepted, it is 200. Else, also once they have refused, 409 `already_decided`.',
        requestParams: byId,
        ...keyed,
        responses: {
          200: answerOf('withdrawOrderRequest', 200, 'Withdrawn.', withdrawnSchema, ['Idempotent-Replayed']),
          202: answerOf('withdrawOrderRequest', 202, 'Staff have been asked.', withdrawnSchema, [
            'Idempotent-Replayed',
          ]),
        },
        errors: ['order_request_not_found', 'already_decided', 'legal_hold', 'conflict', 'intake_off', ...KEY_ERRORS],
      }),
    },
    [`${SUBMITTED}/{id}/supplement`]: {
      servers,
      post: operation('supplementOrderRequest', 'Supplement an order request', {
        description:
          'Adds a note, a prescription or both to a pending request, and answers the newest open question of staff. A prescription is checked like the first; with `replaces` the earlier ones that you sent are set aside. Limits are those of the submission. The same note or file again changes nothing, unless staff have asked since; then it answers, and the file is not filed again.',
        requestParams: byId,
        ...keyed,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: supplementSchema.meta({ id: 'Supplement', description: 'What a platform sends later.' }),
              ...requestExample('supplementOrderRequest'),
            },
          },
        },
        responses: {
          200: answerOf('supplementOrderRequest', 200, 'The request as it is now.', sentRequestSchema, [
            'Idempotent-Replayed',
          ]),
        },
        errors: [
          ...BODY_ERRORS,
          'payload_too_large',
          'invalid_prescription_pdf',
          'prescription_too_large',
          'invalid_prescription_url',
          'order_request_not_found',
          'already_decided',
          'supplement_limit_reached',
          'conflict',
          'intake_off',
          ...KEY_ERRORS,
        ],
      }),
    },
    '/api/v1/shop': {
      servers,
      get: operation('getOwnShop', 'The shop at this address', {
        description: 'What `shipping_option` may say here, and whether the shop takes order requests.',
        responses: { 200: answerOf('getOwnShop', 200, 'The shop.', ownShopSchema) },
        errors: [],
      }),
    },
    '/api/v1/products': {
      servers,
      get: operation('listOfferedProducts', 'Products of this shop', {
        description:
          'What this shop offers, by `p1_id`, with the price and name that apply here. `available` is false where the shop does not sell it now, or has none in stock.',
        requestParams: { query: offeredQuerySchema },
        responses: {
          200: answerOf('listOfferedProducts', 200, 'One page; next_cursor is null at the end.', offeredPageSchema),
        },
        errors: ['validation_failed'],
      }),
    },
  };
}

type Told = Pick<ZodOpenApiOperationObject, 'requestParams' | 'parameters' | 'requestBody' | 'responses'> & {
  description: string;
  errors: readonly ProblemCode[];
};

function operationsOf(problems: ProblemResponses) {
  return (id: string, summary: string, { responses, errors, ...told }: Told): ZodOpenApiOperationObject => ({
    operationId: id,
    tags: ['Connector'],
    summary,
    ...told,
    security: INTEGRATION_KEY,
    responses: { ...responses, ...problems.of(id, [...errors, ...CONNECTOR_ERRORS]) },
  });
}

function statusAnswer(id: string) {
  return answerOf(id, 200, 'The request.', sentRequestSchema, ['ETag']);
}
