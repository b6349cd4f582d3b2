import { recordAudit } from '../../audit/record';
import { reserveEntries } from '../../inventory/stock';
import { selectStockedNames } from '../../inventory/store';
import { prolongReservations } from '../../inventory/store-reservations';
import { namedProducts } from '../../orders/create';
import { TEXT_MAX } from '../../orders/limits';
import type { PlatformDetails } from '../../orders/tables';
import { requireRole, requireScope } from '../../platform/access';
import { commit, KeyTaken } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { utf8 } from '../../platform/crypto/crypto';
import { pick } from '../../platform/data/columns';
import type { Statement } from '../../platform/data/statements';
import { AppError, type FieldError, invalidInput, notFound } from '../../platform/errors/errors';
import { foldPersonName } from '../../platform/fold';
import { isRecord, jsonAsSent, leastJsonLength } from '../../platform/http/json';
import { parseInput } from '../../platform/http/validation';
import { isUuid, newId, storedId } from '../../platform/ids';
import { dayOf } from '../../platform/pharmacy-time';
import { requireIntake } from '../../platform/switches';
import { filePrescription, type PrescriptionSource } from '../../prescriptions/filing';
import { hasTokenIn } from '../../signatures/erezept';
import { shippingOptionIn, shippingOptionsOf } from '../../tenants/rules';
import { shippableById } from '../../tenants/shipping';
import { type ShopAtHost, selectShopOfOrganization } from '../../tenants/store';
import { outboxEvent } from '../../webhooks/outbox';
import { type Envelope, envelopeSchema, ITEM_MEMBERS, PAYLOAD_MEMBERS, withoutPdfSchema } from '../envelope';
import { ReferenceConflict } from '../errors';
import { PAYLOAD_BYTES_MAX, PLATFORM_DETAIL_LENGTH_MAX, PLATFORM_DETAILS_MAX } from '../limits';
import type { RequestStatus } from '../store';
import { feeLimitsOf } from './charges';
import {
  filesOf,
  giveUpFilesOf,
  hostsOf,
  ownHost,
  readFiles,
  refuseShopsElsewhere,
  type SentFile,
  storeFiles,
  type TakenPdfs,
  takePdfs,
} from './files';
import { fingerprintsOf, rewriteFingerprint } from './fingerprints';
import { heldIn, notReserved, type ReservedItems, reservedItems, reservedMs } from './reserved';
import { differingFields, isPaidSince, normalize, type Submission } from './rules';
import { insertRequest, type NewRequest, payRequest, requestExists, selectAnswering, selectReserved } from './store';
import {
  emailWarnings,
  fileWarnings,
  shippingWarnings,
  UNUSABLE_EMAIL,
  unitWarnings,
  type Warning,
  warningsOf,
} from './warnings';

interface SubmitInput {
  /** The shop of the request's host. Its organization owns the request. */
  shop: ShopAtHost;
  integration: Integration;
  /** The parsed body. */
  body: unknown;
}

/** The integration that sends requests, and its settings. Each integration has references of its own. */
export interface Integration {
  /** Id that the API key shares with the keys that it was rotated from or to. */
  familyId: string;
  sendsSubmittedEvents: boolean;
  reserves: boolean;
  reserveShare: number | null;
  /** A statement that records the use of the API key. It is put in the batch that stores the request. */
  keyUse?: Statement;
}

export interface SubmittedRequest {
  id: string;
  status: RequestStatus;
  /**
   * The reference exactly as submitted; null if none was sent. The reference that is stored and compared is trimmed.
   */
  externalReference: string | null;
  /** Whether the request existed already. If so, this submission wrote nothing or only its payment. */
  isReplay: boolean;
  /** Null if the key or the shop does not reserve stock. */
  reserved: ReservedItems | null;
  warnings: Warning[];
}

/**
 * Stores an order request (contract 5.1) in one batch. A PDF is stored in R2 first. If the batch then fails, the sweep
 * finds the file as an orphan. If the request exists already, the batch puts the file on the deletion list.
 * @throws AppError for every fault of the body, `external_reference_conflict`, `backend_unreachable`
 */
export function submitOrderRequest(ctx: Context, input: SubmitInput): Promise<SubmittedRequest> {
  requireScope(ctx, 'external_orders.submit');
  return takeIn(ctx, input);
}

/**
 * Stores an order request from the organization API, for the shop that the body names.
 * @throws AppError as `submitOrderRequest`, `shop_not_found`, and `shop_inactive`
 */
export async function createOrderRequest(
  ctx: Context,
  input: { shopId: string; body: unknown },
): Promise<SubmittedRequest> {
  const actor = requireScope(ctx, 'order_requests.write');
  const [shop] = await ctx.db.rows(selectShopOfOrganization({ orgId: actor.orgId, shopId: input.shopId }));
  if (!shop) throw notFound('shop_not_found', 'This organization has no such shop.');
  if (!shop.isActive) throw new AppError('shop_inactive', 'This shop does not accept order requests at present.');
  const familyId = actor.kind === 'api_key' ? actor.familyId : actor.memberId;
  return takeIn(ctx, {
    shop,
    integration: { familyId, sendsSubmittedEvents: true, reserves: false, reserveShare: null },
    body: input.body,
  });
}

async function takeIn(ctx: Context, { shop, integration, body }: SubmitInput): Promise<SubmittedRequest> {
  const { payload, platformDetails, submission, sentReference, files, cashOnPickup } = readSubmission(ctx, body, shop);
  if (files.length > 0) await refuseShopsElsewhere(ctx, files);

  const { orgId, id: shopId } = shop;
  const id = newId();
  const sources = files.length > 0 ? await storeFiles(ctx, files, { orgId, shopId, orderRequestId: id }) : [];
  const prescription = filesOf(sources);
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
    prescriptionPdfUrl: files.length > 1 ? prescription : (files[0]?.url ?? null),
    cashOnPickup,
    feeLimits: feeLimitsOf(shop, submission.shippingOption),
    createdAt: ctx.now(),
    updatedAt: ctx.now(),
  };
  const heldMs = reservedMs(shop, integration, submission);
  const { answer, stocked } = await retryOnConflict(ctx, async () => {
    const submitted = commitSubmission(ctx, row, fingerprints, { sources, hosts: hostsOf(files), integration, heldMs });
    const { answering, stocked } = await submitted.catch((error) => {
      if (error instanceof KeyTaken) giveUpFilesOf(ctx, sources);
      throw error;
    });
    const answer = answering[0];
    if (!answer) throw ownHost(files);
    // The stored fingerprint may have been made by an older release or root secret. In that case, the fields are
    // compared.
    const isKnown = fingerprints.includes(answer.fingerprint ?? '');
    const differing = isKnown ? [] : differingFields({ ...submission, prescription }, answer);
    if (differing.length > 0) {
      if (!isPaidSince(submission, answer, differing)) {
        throw new ReferenceConflict(pick(answer, ['id', 'status']), differing);
      }
      const until = heldMs === null ? null : ctx.now() + heldMs;
      answer.reserved =
        (await notePayment(ctx, { ...row, id: answer.id, from: answer.fingerprint, until })) ?? answer.reserved;
      answer.fingerprint = row.fingerprint;
    }
    return { answer, stocked };
  });
  if (answer.fingerprint !== fingerprints[0]) rewriteFingerprint(ctx, answer, fingerprints[0]);
  const products = new Map(stocked.map((each) => [each.p1Id, each]));
  const reserved = heldMs === null ? null : reservedItems(submission.items, products, heldIn(answer.reserved));
  return {
    id: answer.id,
    status: answer.status,
    externalReference: sentReference,
    isReplay: answer.id !== row.id,
    reserved,
    warnings: [
      ...warningsOf(row, row.cashOnPickup, products),
      ...unitWarnings(row.items, products),
      ...(reserved && answer.status === 'pending' ? notReserved(reserved) : []),
      ...shippingWarnings(submission, shippableById(stocked), { shopId, today: dayOf(ctx.now()) }),
      ...emailWarnings(platformDetails),
      ...sources.flatMap((source) =>
        'pdf' in source ? fileWarnings([{ ...source.pdf, origin: 'base64', place: source.place }]) : [],
      ),
    ],
  };
}

/** Returns the external_reference of a body as it was sent; null if it is missing, blank or not a text. */
export function referenceIn(body: unknown): string | null {
  const sent = isRecord(body) ? body.external_reference : null;
  return typeof sent === 'string' && sent.trim() !== '' ? sent : null;
}

/** Checks a body and returns the values to store. */
function readSubmission(ctx: Context, body: unknown, shop: ShopAtHost) {
  const taken = takePdfs(isRecord(body) ? body.payload : undefined);
  const payload = payloadText(body);
  const envelope = parseInput(taken.only === null ? envelopeSchema : withoutPdfSchema, body);
  refuseOtherShop(envelope, body, shop);
  const shippingOption = shippingOptionIn(envelope.payload.shipping_option ?? '', shop) ?? null;
  const files = checkShopRules(ctx, envelope, { shop, shippingOption, taken });
  const submission = { ...normalize(envelope, shop), shippingOption };
  return {
    /** The body as submitted, without the PDF. */
    payload,
    platformDetails: platformDetailsOf(body, unusableEmail(envelope, submission)),
    submission,
    /** The external_reference as it was sent, untrimmed. */
    sentReference: submission.externalReference === null ? null : referenceIn(body),
    files,
    cashOnPickup: envelope.payload.cash_on_pickup ?? null,
  };
}

interface Submitted {
  sources: readonly PrescriptionSource[];
  /** The hosts of the prescription links. */
  hosts: readonly string[];
  integration: Integration;
  /** How long stock is reserved, in ms; null if no stock is reserved. */
  heldMs: number | null;
}

/** Writes a submission in one batch. Other rows are inserted only if the batch has inserted the request. */
async function commitSubmission(
  ctx: Context,
  row: NewRequest,
  fingerprints: readonly string[],
  { sources, hosts, integration, heldMs }: Submitted,
) {
  const onlyIf = requestExists({ id: row.id });
  const p1Ids = namedProducts(row.items);
  const compared = { ...row, fingerprints: fingerprints.join(' ') };
  const batch = {
    request: insertRequest({ ...compared, prescriptionHosts: hosts }),
    prescriptions: sources.flatMap((source) => {
      const { orgId, shopId, id: orderRequestId } = row;
      return filePrescription(ctx, { id: newId(), orgId, shopId, orderRequestId, source, onlyIf });
    }),
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
    reserved:
      heldMs === null
        ? undefined
        : reserveEntries(
            ctx,
            {
              ...pick(row, ['orgId', 'shopId', 'items']),
              ...{ requestId: row.id, p1Ids, until: row.createdAt + heldMs },
              ...{ familyId: integration.familyId, share: integration.reserveShare },
            },
            onlyIf,
          ),
    keyUse: integration.keyUse,
    answering: selectAnswering(compared),
    stocked: p1Ids.length > 0 ? selectStockedNames({ orgId: row.orgId, shopId: row.shopId, p1Ids }) : undefined,
  };
  // The reference has priority: a repeated reference does not check the idempotency key.
  const { answering, stocked } = await commit(ctx, batch, { about: row.id, keyedIf: onlyIf });
  return { answering, stocked: stocked ?? [] };
}

/**
 * Refuses a body that names another organization or shop than `shop`, in the envelope or in `payload` (contract 5.5,
 * rule 4). In `payload`, an id that is no UUID is the platform's own and is not compared.
 * @throws AppError `shop_mismatch`
 */
function refuseOtherShop(envelope: Envelope, body: unknown, shop: ShopAtHost): void {
  const inPayload = isRecord(body) && isRecord(body.payload) ? body.payload : {};
  const isOther = (name: 'org_id' | 'shop_id', own: string) =>
    [envelope[name], uuidIn(inPayload[name])].some((sent) => sent !== undefined && storedId(sent) !== own);
  if (isOther('org_id', shop.orgId) || isOther('shop_id', shop.id)) {
    throw new AppError(
      'shop_mismatch',
      "org_id or shop_id in the body is not this shop's. Leave them out: the address decides.",
    );
  }
}

function uuidIn(sent: unknown): string | undefined {
  return typeof sent === 'string' && isUuid(sent.trim()) ? sent.trim() : undefined;
}

/**
 * Checks the rules that depend on the shop, and so are not in the schema.
 * @returns the prescriptions
 */
function checkShopRules(
  ctx: Context,
  { payload }: Envelope,
  { shop, shippingOption, taken }: { shop: ShopAtHost; shippingOption: string | null; taken: TakenPdfs },
): SentFile[] {
  const errors: FieldError[] = [];
  if (payload.shipping_option && shippingOption === null) {
    errors.push({
      pointer: '/payload/shipping_option',
      code: 'unknown_shipping_option',
      message: `Allowed: ${shippingOptionsOf(shop).join(', ')}.`,
    });
  }
  const { files, faults } = readFiles(ctx, payload, taken, '/payload');
  errors.push(...faults);
  if (errors.length > 0) throw invalidInput(errors);
  return files;
}

/**
 * Records that a pending request is paid, and prolongs its reservations.
 * @returns the reserved quantities afterwards, as JSON (`reservedOf`)
 * @throws ConstraintError of a guard if the request was changed since it was read
 */
async function notePayment(ctx: Context, paid: Parameters<typeof payRequest>[0] & { until: number | null }) {
  const { orgId, id, until } = paid;
  const { after } = await commit(ctx, {
    request: payRequest(paid),
    reserved: until === null ? undefined : prolongReservations(id, until),
    audit: recordAudit(ctx, {
      orgId,
      action: 'order_request.paid',
      entityId: id,
      fields: ['payment_status', 'payment_reference'],
    }),
    after: selectReserved(id),
  });
  return after[0]?.reserved ?? null;
}

/**
 * Collects, for staff, the members of a body that the contract does not define: those of the payload, then those of its
 * items as `items[0].dosage`. A value that is not a text becomes its JSON. Empty values and values above the limits are
 * left out.
 * @param body as submitted
 * @param found the first entries. The entries that are found in the body are appended to it
 * @returns null if there are none
 */
function platformDetailsOf(body: unknown, found: [string, string][]): PlatformDetails | null {
  const payload = isRecord(body) && isRecord(body.payload) ? body.payload : {};
  found.push(...unknownMembers(payload, PAYLOAD_MEMBERS, ''));
  const items = Array.isArray(payload.items) ? payload.items : [];
  for (const [index, item] of items.entries()) {
    if (isRecord(item)) found.push(...unknownMembers(item, ITEM_MEMBERS, `items[${index}].`));
  }
  return found.length === 0 ? null : Object.fromEntries(found.slice(0, PLATFORM_DETAILS_MAX));
}

/** Returns an entry with the sent `customer_email` if it is not an e-mail address; otherwise no entry. */
function unusableEmail({ payload }: Envelope, { customerEmail }: Submission): [string, string][] {
  const sent = payload.customer_email;
  return sent === undefined || customerEmail !== null ? [] : [[UNUSABLE_EMAIL, sent]];
}

function unknownMembers(of: Record<string, unknown>, known: ReadonlySet<string>, within: string): [string, string][] {
  const found: [string, string][] = [];
  for (const name in of) {
    if (known.has(name)) continue;
    const text = textOf(of, name);
    if (text !== '') found.push([cut(within + name, TEXT_MAX), cut(text, PLATFORM_DETAIL_LENGTH_MAX)]);
  }
  return found;
}

function textOf(of: Record<string, unknown>, name: string): string {
  const value = of[name];
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value.trim() : jsonAsSent(of, name);
}

/** Cuts a text to a length, without half a surrogate pair at the end. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).toWellFormed();
}

/**
 * Returns the JSON of a body from which the PDF was taken, because a PDF is never stored in D1. Checks the size before
 * the schema does anything, because the schema would need seconds for millions of tiny items.
 * @throws AppError `payload_too_large`, `erezept_token_refused`
 */
export function payloadText(body: unknown): string {
  if (leastJsonLength(body) > PAYLOAD_BYTES_MAX) throw payloadTooLarge();
  const text = JSON.stringify(body);
  // In UTF-8, a UTF-16 code unit takes at most three bytes, and a surrogate pair takes four.
  if (text.length * 3 > PAYLOAD_BYTES_MAX && utf8(text).length > PAYLOAD_BYTES_MAX) throw payloadTooLarge();
  if (hasTokenIn(text)) throw new AppError('erezept_token_refused', TOKEN_REFUSED);
  return text;
}

const TOKEN_REFUSED =
  'The body holds an access code of the telematics infrastructure (E-Rezept). It must not be sent outside of it: nothing was stored.';

function payloadTooLarge(): AppError {
  return new AppError(
    'payload_too_large',
    `Without the PDF, the body may hold ${PAYLOAD_BYTES_MAX} bytes of UTF-8 JSON at most.`,
  );
}

/** The platform of a sample, as lists and filters show it. */
const SOURCE = 'probe';

/**
 * Sends a sample request through the same intake as every other request. Its reference, source, name and note identify
 * it as a sample. A member has at most one sample for a shop: a second call returns the first sample in any status,
 * unless it was deleted.
 * @throws AppError `shop_not_found`, `shop_inactive`, `intake_off`
 */
export async function sendSample(ctx: Context, { shopId }: { shopId: string }): Promise<SubmittedRequest> {
  requireRole(ctx, ['owner']);
  await requireIntake(ctx);
  const payload = {
    customer_name: 'TEST Erika Mustermann',
    note: 'Testanfrage, keine echte Bestellung. / A test, no real order.',
    items: [{ name: 'Ibuprofen 400 mg (Probe)', quantity: 1, price: 4.95 }],
  };
  return createOrderRequest(ctx, { shopId, body: { external_reference: `TEST-${shopId}`, source: SOURCE, payload } });
}
