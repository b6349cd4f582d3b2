import * as z from 'zod';
import { journaling } from '../../audit/journal';
import { recordAudit } from '../../audit/record';
import type { Reservation } from '../../inventory/store-reservations';
import { NOTE_MAX } from '../../orders/limits';
import { mayBeWithdrawn, withdrawalEntries } from '../../orders/news';
import type { OrderRow } from '../../orders/store';
import type { QuestionCode, Withdrawal } from '../../orders/tables';
import { noteEntry } from '../../orders/timeline/notes';
import { answerQuestionRow } from '../../orders/timeline/store';
import { actorId, requireScope } from '../../platform/access';
import { commit } from '../../platform/commit';
import { retryOnConflict } from '../../platform/conflict';
import type { Context } from '../../platform/context';
import { sha256, toHex, utf8 } from '../../platform/crypto/crypto';
import type { Statement } from '../../platform/data/statements';
import { AppError, invalidField, invalidInput, notFound } from '../../platform/errors/errors';
import { withoutSigning } from '../../platform/http/outgoing';
import { all, has, hasNone, parseInput, refusing, textOf } from '../../platform/http/validation';
import { newId } from '../../platform/ids';
import { isSetAside } from '../../prescriptions/coverage';
import { filePrescription, type PrescriptionSource } from '../../prescriptions/filing';
import { replacedEntries } from '../../prescriptions/set-aside';
import type { PrescriptionRow } from '../../prescriptions/store';
import { prescriptionFields } from '../envelope';
import { deletionEntries } from '../erasure/erase';
import { AlreadyDecided } from '../errors';
import {
  giveUpFilesOf,
  hostsOf,
  ownHost,
  readFiles,
  refuseShopsElsewhere,
  type SentFile,
  storeFiles,
  takePdfs,
} from '../intake/files';
import { payloadText } from '../intake/intake';
import { SUPPLEMENTS_MAX } from '../limits';
import { type RequestRow, type RequestStatus, requestWaits, selectRequest } from '../store';
import type { Supplement } from '../tables';
import { addSupplement, type Sender, selectForSupplement, selectSent, selectSentAs } from './store';

export interface SentRequest {
  request: RequestRow;
  /** The order that the request became; null if there is none, or if the order is deleted. */
  order: OrderRow | null;
  reserved: readonly Reservation[];
}

/** The platform that reads or changes a request which it sent. */
export interface Asking extends Sender {
  /** A statement that records the use of the API key. It runs in the batch that reads the request. */
  keyUse?: Statement;
}

/**
 * The wanted request: the one with an id, or the newest one with a reference. The reference must be trimmed like the
 * stored references.
 */
export type Sought = { id: string } | { externalReference: string; source: string | null };

/**
 * Returns a request as its platform sees it. A request of another platform or shop counts as not found. So does a
 * request whose person was erased.
 * @throws AppError `order_request_not_found`
 */
export async function readSentRequest(ctx: Context, asking: Asking, sought: Sought): Promise<SentRequest> {
  requireScope(ctx, 'external_orders.submit');
  const { shopId, familyId, keyUse } = asking;
  const of = { shopId, familyId };
  const { requests, orders, reserved } = await ctx.db.run({
    keyUse,
    ...('id' in sought ? selectSent({ ...of, ...sought }) : selectSentAs({ ...of, ...sought })),
  });
  return sentOf(requests[0], orders[0], reserved);
}

/**
 * Returns a request as its platform sees it, from the rows that were read. @throws AppError `order_request_not_found`
 */
function sentOf(
  request: RequestRow | undefined,
  order: OrderRow | undefined,
  reserved: readonly Reservation[],
): SentRequest {
  if (!request || isErased(request)) {
    throw notFound('order_request_not_found', 'There is no such order request of this integration at this shop.');
  }
  return { request, order: order ?? null, reserved };
}

/** Whether the person of a request was erased. False if only this request was deleted. */
function isErased({ erasedAt, status, decidedBy }: RequestRow): boolean {
  return erasedAt !== null && (status !== 'deleted' || decidedBy === null);
}

/**
 * A supplement that a platform sends after its submission. Unknown members are refused. Otherwise a prescription under
 * a wrong name would be ignored.
 */
export const supplementSchema = z
  .strictObject({
    note: textOf(NOTE_MAX).nullish().describe('For staff; the answer, if they asked something.'),
    ...prescriptionFields,
    replaces: z
      .boolean()
      .nullish()
      .describe('true: the prescriptions that were sent before are set aside. Only with a prescription.'),
  })
  .meta({
    ...refusing(
      hasNone('note', 'prescription_pdf_base64', 'prescription_pdf_url', 'prescriptions'),
      all(has('replaces', true), hasNone('prescription_pdf_base64', 'prescription_pdf_url', 'prescriptions')),
    ),
  });

interface Supplemented extends SentRequest {
  /** Whether the same supplement was sent before. If so, nothing was written. */
  isReplay: boolean;
}

/** The content of a supplement whose body was checked. */
interface Sent {
  note: string | null;
  files: readonly SentFile[];
  isReplacing: boolean;
}

/**
 * Adds a supplement of the platform to a pending request. The supplement's note answers the newest open question. Staff
 * must check the supplement's prescriptions. A supplement that is sent again changes nothing.
 * @throws AppError `order_request_not_found`, `already_decided`, `supplement_limit_reached`, and for faults of the body
 */
export function supplementOrderRequest(
  ctx: Context,
  asking: Asking,
  input: { id: string; body: unknown },
): Promise<Supplemented> {
  requireScope(ctx, 'external_orders.submit');
  return supplement(ctx, asking, input.id, readBody(ctx, input.body));
}

function readBody(ctx: Context, body: unknown): Sent {
  const taken = takePdfs(body);
  payloadText(body);
  const sent = parseInput(supplementSchema, body);
  const { note = null, replaces } = sent;
  const { files: read, faults } = readFiles(ctx, sent, taken, '');
  if (faults.length > 0) throw invalidInput(faults);
  // `place` is an index into the submission's prescriptions, so a file of a supplement has no `place`.
  const files = read.map((file) => ({ ...file, place: null }));
  const hasFile = files.length > 0;
  if (note === null && !hasFile) throw invalidField('', 'required', 'Send a note or a prescription, or both.');
  if (replaces && !hasFile) {
    throw invalidField('/replaces', 'invalid_value', 'Send the prescription that replaces the earlier ones.');
  }
  return { note, files, isReplacing: replaces ?? false };
}

async function supplement(ctx: Context, asking: Asking, id: string, sent: Sent): Promise<Supplemented> {
  const { note, files } = sent;
  await refuseShopsElsewhere(ctx, files);
  const marks: Marks = {
    note: note === null ? null : await hashOf(utf8(note)),
    file: await hashOfFiles(files),
    ...(sent.isReplacing && { replaces: true }),
  };
  let stored: PrescriptionSource[] | null = null;
  let isTaken = false;
  try {
    return await retryOnConflict(ctx, async () => {
      const facts = await readFacts(ctx, asking, id, files);
      const { request, open } = facts;
      const known = request.supplements ?? [];
      if (isRepeated(known, marks, open)) return { ...facts, isReplay: true };
      if (request.status !== 'pending') throw decided(request);
      if (known.length >= SUPPLEMENTS_MAX) {
        throw new AppError('supplement_limit_reached', `A request takes ${SUPPLEMENTS_MAX} supplements at most.`);
      }
      // A file is stored once, even if it comes again with another note.
      const isFileNew = marks.file !== null && !known.some((earlier) => hasFileOf(earlier, marks));
      const { orgId, shopId } = request;
      if (isFileNew) stored ??= await storeFiles(ctx, files, { orgId, shopId, orderRequestId: id });
      const after = await commitSupplement(ctx, facts, { ...sent, marks, sources: isFileNew ? (stored ?? []) : [] });
      isTaken = true;
      return { ...facts, request: after, order: null, isReplay: false };
    });
  } finally {
    if (stored && !isTaken) giveUpFilesOf(ctx, stored);
  }
}

interface Facts extends SentRequest {
  prescriptions: readonly PrescriptionRow[];
  /** The newest open question. */
  open: { id: string; code: QuestionCode; askedAt: number } | null;
}

async function readFacts(ctx: Context, asking: Asking, id: string, files: readonly SentFile[]): Promise<Facts> {
  const { orgId } = requireScope(ctx, 'external_orders.submit');
  const { shopId, familyId, keyUse } = asking;
  const { requests, orders, reserved, prescriptions, open, own } = await ctx.db.run({
    keyUse,
    ...selectSent({ shopId, familyId, id }),
    ...selectForSupplement(orgId, id, hostsOf(files)),
  });
  if (own[0]?.isOwn === 1) throw ownHost(files);
  return { ...sentOf(requests[0], orders[0], reserved), prescriptions, open: open[0] ?? null };
}

type Marks = Omit<Supplement, 'at'>;

/**
 * Whether the earlier supplement sent the same file. If the file now replaces others, the earlier supplement must have
 * replaced others, too.
 */
function hasFileOf(earlier: Supplement, { file, replaces }: Marks): boolean {
  return earlier.file === file && (!replaces || earlier.replaces === true);
}

/**
 * Whether the platform sent the same supplement before. False if there is an open question that staff asked after the
 * earlier supplement.
 */
function isRepeated(known: readonly Supplement[], marks: Marks, open: Facts['open']): boolean {
  const { note, file } = marks;
  return known.some((earlier) => {
    const isSame = (file === null || hasFileOf(earlier, marks)) && (note === null || earlier.note === note);
    return isSame && (open === null || open.askedAt <= earlier.at);
  });
}

/** Returns one hash for all files of a supplement; null if the supplement has no file. */
async function hashOfFiles(files: readonly SentFile[]): Promise<string | null> {
  const each = await Promise.all(
    files.map(({ bytes, url }) => hashOf(bytes ?? utf8(url === null ? '' : withoutSigning(url)))),
  );
  return each.length > 1 ? hashOf(utf8(each.join('\n'))) : (each[0] ?? null);
}

/**
 * Stores a supplement's text and files, and sets aside the prescriptions that the files replace, in one batch.
 * @returns the request after the change
 */
async function commitSupplement(
  ctx: Context,
  { request, prescriptions, open }: Facts,
  { note, isReplacing, marks, sources }: Sent & { marks: Marks; sources: readonly PrescriptionSource[] },
): Promise<RequestRow> {
  const { orgId, shopId, id } = request;
  const at = ctx.now();
  const of = { orgId, orderRequestId: id };
  const answer = { answer: note ?? '', answeredBy: actorId(ctx), answeredAt: at };
  // If staff asked for the signed file, the new files replace those without a signature that passed.
  const isAsked = (row: PrescriptionRow) =>
    isReplacing || (open?.code === 'signed_file_needed' && row.signatureReport?.status !== 'passed');
  const replaced = sources.length === 0 ? [] : prescriptions.filter((row) => isReplaceable(row) && isAsked(row));
  const { after } = await commit(ctx, {
    answer: open ? answerQuestionRow({ ...of, id: open.id }, answer) : undefined,
    note:
      open === null && note !== null
        ? noteEntry(ctx, { ...of, orderId: null, text: note }, requestWaits(orgId, id))
        : undefined,
    replaced: replacedEntries(ctx, replaced),
    files: sources.flatMap((source) => filePrescription(ctx, { id: newId(), ...of, shopId, source })),
    // This statement computes whether a question is open, so it must run after the answer is written.
    request: addSupplement(request, { at, ...marks }),
    audit: recordAudit(ctx, { orgId, action: 'order_request.supplemented', entityId: id }),
    after: selectRequest({ orgId, id }),
  });
  // SAFETY: the batch has changed it.
  return after[0] as RequestRow;
}

/**
 * Whether a new supplement may set this prescription aside. It may if the platform sent the prescription, and if the
 * prescription is neither erased nor set aside already.
 */
function isReplaceable(row: PrescriptionRow): boolean {
  return row.origin !== 'staff' && row.status !== 'erased' && !isSetAside(row);
}

async function hashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return toHex(await sha256(bytes));
}

export interface Withdrawn {
  id: string;
  status: RequestStatus;
  withdrawal: Withdrawal;
}

/**
 * Withdraws a request for the platform that sent it. A pending request is deleted. If the request became an order, the
 * order is put on hold until staff decide. Refused if a part of the order has left the pharmacy. A second call changes
 * nothing.
 * @throws AppError `order_request_not_found`, `already_decided`, `legal_hold`
 */
export async function withdrawOrderRequest(ctx: Context, asking: Asking, id: string): Promise<Withdrawn> {
  const read = () => readSentRequest(ctx, asking, { id });
  const first = await read();
  if (first.request.status === 'pending') {
    try {
      return await withdrawPending(ctx, first, read);
    } catch (error) {
      // Somebody has decided at the same moment.
      if (!(error instanceof AlreadyDecided)) throw error;
      return holdOrder(ctx, await read(), read);
    }
  }
  return holdOrder(ctx, first, read);
}

/**
 * Runs a command, and repeats it after a conflict. The first run uses `first`, each further run reads the data again.
 */
function trying<T>(
  ctx: Context,
  first: SentRequest,
  read: () => Promise<SentRequest>,
  run: (sent: SentRequest) => Promise<T>,
): Promise<T> {
  let known: SentRequest | null = first;
  return retryOnConflict(ctx, async () => {
    const sent = known ?? (await read());
    known = null;
    return run(sent);
  });
}

function withdrawPending(ctx: Context, first: SentRequest, read: () => Promise<SentRequest>): Promise<Withdrawn> {
  // All retries share one journal entry. The entry is withdrawn if the request turns out to be decided.
  return journaling(ctx, (write) =>
    trying(ctx, first, read, async ({ request, reserved }) => {
      const { orgId, id, status } = request;
      if (status === 'deleted' && request.withdrawal === 'accepted') return outcomeOf(request);
      if (status !== 'pending') throw decided(request);
      if (request.legalHold) throw new AppError('legal_hold', 'This request is kept for legal reasons.');
      await write({ orgId, kind: 'order_request', requestIds: [id] });
      const columns = { withdrawal: 'accepted', reasonCode: 'customer_withdrew' } as const;
      await commit(ctx, {
        deletion: deletionEntries(ctx, request, reserved, ['pending'], columns),
        audit: recordAudit(ctx, {
          orgId,
          action: 'order_request.deleted',
          entityId: id,
          reasonCode: columns.reasonCode,
        }),
      });
      return { id, status: 'deleted', withdrawal: 'accepted' };
    }),
  );
}

function holdOrder(ctx: Context, first: SentRequest, read: () => Promise<SentRequest>): Promise<Withdrawn> {
  return trying(ctx, first, read, async ({ request, order }) => {
    const { withdrawal } = request;
    if (withdrawal === 'requested' || withdrawal === 'accepted') return outcomeOf(request);
    if (request.status !== 'approved' || !order || !mayBeWithdrawn(order)) throw decided(request);
    await commit(ctx, { hold: withdrawalEntries(ctx, order) });
    return { ...outcomeOf(request), withdrawal: 'requested' };
  });
}

function outcomeOf({ id, status, withdrawal }: SentRequest['request']): Withdrawn {
  return { id, status, withdrawal };
}

/** Returns the error that a platform gets. It does not name the person who decided. */
function decided(request: SentRequest['request']): AlreadyDecided {
  return new AlreadyDecided({ ...request, decidedBy: null });
}
