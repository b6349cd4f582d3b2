import { selectStockedNames } from '../../inventory/service';
import { namedProducts } from '../../orders/service';
import { requireScope } from '../../platform/access';
import { commit, KeyTaken } from '../../platform/commit';
import type { Context } from '../../platform/context';
import type { Statement } from '../../platform/data/db';
import { AppError, type FieldError, invalidInput, notFound } from '../../platform/errors';
import { foldPersonName } from '../../platform/fold';
import { isRecord } from '../../platform/http/json';
import { hostOf } from '../../platform/http/outbound';
import { parseInput } from '../../platform/http/validation';
import { newId, storedId } from '../../platform/ids';
import { filePrescription, giveUpStored, type PrescriptionSource, storePdf } from '../../prescriptions/service';
import { type ShopAtHost, selectShopOfOrganization, shippingOptionIn, shippingOptionsOf } from '../../tenants/service';
import { outboxEvent } from '../../webhooks/outbox';
import { type Envelope, envelopeSchema, withoutPdfSchema } from '../envelope';
import { ReferenceConflict } from '../errors';
import type { RequestStatus } from '../store-requests';
import { fingerprintsOf, rewriteFingerprint } from './fingerprints';
import { platformDetailsOf } from './platform-details';
import { isShopElsewhere, ownHost, payloadText, readPrescription, takePdf } from './prescription';
import { differingFields, normalize, type Submission } from './rules';
import { type AnsweringRequest, insertRequest, type NewRequest, requestExists, selectAnswering } from './store';
import { fileWarnings, type Warning, warningsOf } from './warnings';

export interface SubmitInput {
  /** The shop of the request's host; its organization owns the request. */
  shop: ShopAtHost;
  integration: Integration;
  /** The parsed body. */
  body: unknown;
}

/** The integration to which the references belong, and what was agreed with it. */
export interface Integration {
  /** The API key's family. */
  familyId: string;
  sendsSubmittedEvents: boolean;
  /** Records the use of the key in the same batch. */
  keyUse?: Statement;
}

export interface SubmittedRequest {
  id: string;
  status: RequestStatus;
  /** Exactly as this submission sent it; stored and compared is the trimmed one. Null when none was sent. */
  externalReference: string | null;
  /** The same submission existed already; nothing was written. */
  isReplay: boolean;
  warnings: Warning[];
}

/**
 * Stores an order request (contract 5.1): everything in one batch, or nothing. A PDF is stored in R2 first; if the
 * batch then fails, the sweep finds the file as an orphan; if the request exists already, the batch gives the file up.
 * @throws AppError for every fault of the body, `external_reference_conflict`, `backend_unreachable`
 */
export function submitOrderRequest(ctx: Context, input: SubmitInput): Promise<SubmittedRequest> {
  requireScope(ctx, 'external_orders.submit');
  return takeIn(ctx, input);
}

/**
 * Stores an order request from the organization API, for the shop that the body names.
 * @throws AppError as `submitOrderRequest`, and `shop_not_found`
 */
export async function createOrderRequest(
  ctx: Context,
  input: { shopId: string; body: unknown },
): Promise<SubmittedRequest> {
  const actor = requireScope(ctx, 'order_requests.write');
  const { shops } = await ctx.db.run({ shops: selectShopOfOrganization({ orgId: actor.orgId, shopId: input.shopId }) });
  const [shop] = shops;
  if (!shop) throw notFound('shop_not_found', 'This organization has no such shop.');
  if (!shop.isActive) throw new AppError('shop_inactive', 'This shop does not accept order requests at present.');
  const familyId = actor.kind === 'api_key' ? actor.familyId : actor.memberId;
  return takeIn(ctx, { shop, integration: { familyId, sendsSubmittedEvents: true }, body: input.body });
}

async function takeIn(ctx: Context, { shop, integration, body }: SubmitInput): Promise<SubmittedRequest> {
  const { payload, platformDetails, submission, sentReference, pdf, url, cashOnPickup } = readSubmission(
    ctx,
    body,
    shop,
  );
  if (url !== null && (await isShopElsewhere(ctx, url))) throw ownHost('/payload');

  const { orgId, id: shopId } = shop;
  const id = newId();
  const stored = pdf && (await storePdf(ctx, pdf, { orgId, shopId, orderRequestId: id }));
  const source: PrescriptionSource | null = stored ? { pdf: stored, noted: url } : url === null ? null : { url };
  const prescription = stored?.sha256 ?? url;
  const fingerprints = await fingerprintsOf(ctx, submission, prescription);
  const row: NewRequest = {
    ...submission,
    customerNameFolded: foldPersonName(submission.customerName),
    id,
    orgId,
    shopId,
    integrationId: integration.familyId,
    status: 'pending',
    fingerprint: fingerprints[0],
    payload,
    platformDetails,
    prescriptionPdfUrl: url,
    cashOnPickup,
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
  const submitted = commitSubmission(ctx, row, fingerprints, { source, url, integration });
  const { answering, stocked } = await submitted.catch((error) => {
    if (stored && error instanceof KeyTaken) ctx.defer(giveUpStored(ctx, stored));
    throw error;
  });

  const answer = answering[0];
  if (!answer) throw ownHost('/payload');
  if (!fingerprints.includes(answer.fingerprint ?? '')) throw referenceConflict(submission, prescription, answer);
  if (answer.fingerprint !== fingerprints[0]) rewriteFingerprint(ctx, answer, fingerprints[0]);
  return {
    id: answer.id,
    status: answer.status,
    externalReference: sentReference,
    isReplay: answer.id !== row.id,
    warnings: [
      ...warningsOf(submission, row.cashOnPickup, new Map(stocked.map(({ p1Id, name }) => [p1Id, name]))),
      ...(stored ? fileWarnings([{ ...stored, origin: 'base64' }]) : []),
    ],
  };
}

/** The external_reference of a body as it was sent, null without one. */
export function referenceIn(body: unknown): string | null {
  const sent = isRecord(body) ? body.external_reference : null;
  return typeof sent === 'string' && sent.trim() !== '' ? sent : null;
}

/** Checks a body and takes from it what is stored. */
function readSubmission(ctx: Context, body: unknown, shop: ShopAtHost) {
  const base64 = takePdf(isRecord(body) ? body.payload : undefined);
  const payload = payloadText(body);
  const envelope = parseInput(base64 === null ? envelopeSchema : withoutPdfSchema, body);
  refuseOtherShop(envelope, shop);
  const pdf = checkShopRules(ctx, envelope, shop, base64);
  const shippingOption = shippingOptionIn(envelope.payload.shipping_option ?? '', shop) ?? null;
  const submission = { ...normalize(envelope, shop), shippingOption };
  return {
    /** The body as submitted, without the PDF. */
    payload,
    platformDetails: platformDetailsOf(body),
    submission,
    /** The external_reference as it was sent, untrimmed. */
    sentReference: submission.externalReference === null ? null : referenceIn(body),
    pdf,
    url: envelope.payload.prescription_pdf_url ?? null,
    cashOnPickup: envelope.payload.cash_on_pickup ?? null,
  };
}

interface Submitted {
  source: PrescriptionSource | null;
  url: string | null;
  integration: Integration;
}

/** The one write of a submission. All other inserts depend on the first one. */
async function commitSubmission(
  ctx: Context,
  row: NewRequest,
  fingerprints: readonly string[],
  { source, url, integration }: Submitted,
) {
  const onlyIf = requestExists({ id: row.id });
  const p1Ids = namedProducts(row.items);
  const compared = { ...row, fingerprints: fingerprints.join(' ') };
  const batch = {
    request: insertRequest({ ...compared, prescriptionHost: url === null ? null : hostOf(new URL(url)) }),
    prescription: source
      ? filePrescription(ctx, {
          id: newId(),
          orgId: row.orgId,
          shopId: row.shopId,
          orderRequestId: row.id,
          source,
          onlyIf,
        })
      : undefined,
    event: outboxEvent(ctx, {
      type: 'order_request_submitted',
      orgId: row.orgId,
      about: row,
      metadata: {
        order_request_id: row.id,
        external_reference: row.externalReference ?? '',
        shop_id: row.shopId,
        source: row.source,
      },
      onlyIf,
      isSent: integration.sendsSubmittedEvents,
    }),
    keyUse: integration.keyUse,
    answering: selectAnswering(compared),
    stocked: p1Ids.length > 0 ? selectStockedNames({ orgId: row.orgId, shopId: row.shopId, p1Ids }) : undefined,
  };
  // A reference comes first: a repeated one does not look at the key.
  const { answering, stocked } = await commit(ctx, batch, { about: row.id, keyedIf: onlyIf });
  return { answering, stocked: stocked ?? [] };
}

/** Contract 5.5, rule 4: a body that names another organization or shop than the address is refused. */
function refuseOtherShop(envelope: Envelope, shop: ShopAtHost): void {
  const isSame =
    storedId(envelope.org_id ?? shop.orgId) === shop.orgId && storedId(envelope.shop_id ?? shop.id) === shop.id;
  if (!isSame) {
    throw new AppError(
      'shop_mismatch',
      "org_id or shop_id in the body is not this shop's. Leave them out: the address decides.",
    );
  }
}

/** Rules that depend on the shop and so are not in the schema. @returns the PDF's bytes, if there is a PDF */
function checkShopRules(
  ctx: Context,
  { payload }: Envelope,
  shop: ShopAtHost,
  base64: string | null,
): Uint8Array | null {
  const errors: FieldError[] = [];
  if (payload.shipping_option && !shippingOptionIn(payload.shipping_option, shop)) {
    errors.push({
      pointer: '/payload/shipping_option',
      code: 'unknown_shipping_option',
      message: `Allowed: ${shippingOptionsOf(shop).join(', ')}.`,
    });
  }
  const { bytes, faults } = readPrescription(ctx, payload.prescription_pdf_url ?? null, base64, '/payload');
  errors.push(...faults);
  if (errors.length > 0) throw invalidInput(errors);
  return bytes;
}

function referenceConflict(submission: Submission, prescription: string | null, stored: AnsweringRequest): AppError {
  const { id, status } = stored;
  return new ReferenceConflict({ id, status }, differingFields({ ...submission, prescription }, stored));
}
