import { Hono } from 'hono';
import { leavePageData, readPageData } from '../../auth/staff/account';
import { deleteOrderRequest, setLegalHold } from '../../order-requests/erasure/erase';
import { findProductsFor, nextOpenRequest, type Review, readInbox, readReview } from '../../order-requests/inbox/inbox';
import { INBOX_TABS } from '../../order-requests/inbox/store';
import { approveOrderRequest } from '../../order-requests/review/approve';
import { NotApprovable } from '../../order-requests/review/assessment';
import {
  addPrescription,
  addRequestNote,
  answerQuestion,
  askQuestion,
  rejectOrderRequest,
  reopenOrderRequest,
  setAsidePrescription,
  undoSetAside,
} from '../../order-requests/review/decisions';
import { discardDraft, saveReview } from '../../order-requests/review/draft';
import { NOTE_MAX } from '../../orders/limits';
import { REASON_CODES } from '../../orders/rules';
import { QUESTION_CODES } from '../../orders/tables';
import { holds, requireRole } from '../../platform/access';
import type { AppError } from '../../platform/errors/errors';
import { SEARCH_MAX } from '../../platform/limits';
import { MINUTE_MS } from '../../platform/time';
import { fetchAgain, requireViewable, viewPrescription } from '../../prescriptions/review';
import { readToday } from '../../reports/figures';
import { hasShortcuts, isPaneWide } from '../http/cookies';
import { entityTag, isFetchedByScript, isKnown } from '../http/entity-tag';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { isFormId, newFormId } from '../http/form-data';
import type { Reader } from '../http/language';
import { once } from '../http/once';
import { idOf, pathOf, REQUESTS, requestPath } from '../http/paths';
import { signedIn } from '../http/session';
import { TYPED_KEPT_MS } from '../limits';
import { ConfirmPage, type ConfirmProps, submitDecision } from '../ui/confirm';
import { Hidden, upload } from '../ui/fields';
import { plainLine, readSearch } from '../ui/filters';
import { formatMoney, priceText } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { type FieldErrors, hasFieldErrors, render, respondPage, textFor, type View } from '../ui/view';
import { blockerText, indexOf } from './findings';
import { InboxPage } from './inbox-page';
import { ChoiceList } from './line-row';
import { messages } from './messages';
import { personOf } from './person-strip';
import { presetsOf } from './prescription-pane';
import { initialForm, ReviewPage } from './review-page';
import {
  draftOf,
  isUntouched,
  type ReviewState,
  readChecks,
  readLines,
  type TypedForm,
  typedForm,
  untouchedForm,
} from './review-state';
import { shownLength } from './signature';
import { VIEWER_POLICY, ViewerPage } from './viewer-page';

/** The path of the request's page. */
function shownPath(c: ManageContext): string {
  return requestPath(idOf(c));
}

/** Routes that save or discard the draft of a decision. One person prepares it. Another one may decide. */
const draftRoutes = new Hono<ManageEnv>()
  .post(
    '/:id/draft',
    once(shownPath, (c) => {
      const typed = typedForm(c.var);
      const { lines, fieldErrors } = readTyped(c, typed);
      if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
      const { acknowledged } = typed;
      const payment = typed.payment || null;
      const remainder = typed.remainder || null;
      let draft = '';
      return decideRequest(c, {
        run: async () => {
          const version = typed.draft || null;
          draft = await saveReview(c.var.ctx, { id: idOf(c), lines, acknowledged, payment, remainder, version });
        },
        typed: () => withoutDraft(typed),
        onDone: async () => redirectWithFlash(c, 'review_saved', await pathKeeping(c, { ...typed, lines: [], draft })),
      });
    }),
  )
  .post('/:id/draft/discard', (c) => {
    const typed = typedForm(c.var);
    return decideRequest(c, {
      run: () => discardDraft(c.var.ctx, { id: idOf(c), version: typed.draft || null }),
      typed: () => withoutDraft(typed),
      onDone: async () =>
        redirectWithFlash(c, 'review_discarded', await pathKeeping(c, { ...typed, lines: [], draft: '' })),
    });
  });

/**
 * The typed values without the version of the draft. After a conflict, the page takes the current version instead, so
 * sending the form again replaces the draft that the page shows.
 */
function withoutDraft({ draft: _, ...typed }: TypedForm): ReviewState {
  return typed;
}

/** Routes of questions, answers, and notes. Their buttons submit the request's whole form, so typed values are kept. */
const timelineRoutes = new Hono<ManageEnv>()
  .post('/:id/needs-info', (c) => {
    const typed = typedForm(c.var);
    const code = QUESTION_CODES.find((each) => each === typed.info_code) ?? 'other';
    const fieldErrors = textFault(c.var, 'info_note', typed.info_note, messages(c.var).infoNote);
    if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
    return decideRequest(c, {
      run: () => askQuestion(c.var.ctx, { id: idOf(c), code, text: typed.info_note }),
      typed: () => typed,
      onDone: async () => {
        const here = await keptPath(c, { ...typed, info_code: '', info_note: '' });
        return here === null ? redirectToNext(c, 'info_noted') : redirectWithFlash(c, 'info_noted', here);
      },
    });
  })
  .post('/:id/answer', (c) => {
    const typed = typedForm(c.var);
    const questionId = c.var.form.text('question').slice(0, ID_MAX);
    const { [questionId]: answer = '', ...answers } = typed.answers;
    const fieldErrors = textFault(c.var, `answer-${questionId}`, answer, messages(c.var).answer);
    if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
    return writeDown(c, typed, { ...typed, answers }, 'info_settled', () =>
      answerQuestion(c.var.ctx, { id: idOf(c), questionId, answer }),
    );
  })
  .post(
    '/:id/note',
    once(shownPath, (c) => {
      const typed = typedForm(c.var);
      const fieldErrors = textFault(c.var, 'note', typed.note, messages(c.var).note);
      if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
      return writeDown(c, typed, { ...typed, note: '' }, 'note_saved', () =>
        addRequestNote(c.var.ctx, { id: idOf(c), text: typed.note }),
      );
    }),
  );

/**
 * Runs a write that does not decide the request, and shows the request again.
 * @param typed the form values that the page shows if the write is refused
 * @param rest the form values that the page shows after success
 */
function writeDown(
  c: ManageContext,
  typed: TypedForm,
  rest: TypedForm,
  flash: Flash,
  run: () => Promise<unknown>,
): Promise<Response> {
  return decideRequest(c, {
    run,
    typed: () => typed,
    onDone: async () => redirectWithFlash(c, flash, await pathKeeping(c, rest)),
  });
}

/** The error of a required text, by its field; empty if the text is valid. */
function textFault(reader: Reader, name: string, text: string, label: string): FieldErrors {
  const { common, fieldErrors } = sharedMessages(reader);
  if (text === '') return { [name]: common.required(label) };
  return isTooLong(text) ? { [name]: fieldErrors.note_too_long } : {};
}

function isTooLong(note = ''): boolean {
  return note.length > NOTE_MAX;
}

/**
 * Routes of a prescription's file and of the page that paints it. `viewPrescription` checks and records each access to
 * the file, and sets the headers.
 */
export const prescriptionRoutes = new Hono<ManageEnv>()
  .get('/:id/pdf', async (c) => {
    const { body, headers } = await viewPrescription(c.var.ctx, c.req.param('id'));
    return new Response(body, { headers });
  })
  .get('/:id/view', async (c) => {
    const row = await requireViewable(c.var.ctx, c.req.param('id'));
    const viewer = <ViewerPage id={row.id} length={shownLength(row)} />;
    return c.html(`<!doctype html>${render(c.var, viewer)}`, 200, { 'Content-Security-Policy': VIEWER_POLICY });
  });

/** Query parameter with the id of the kept form values. */
const TYPED = 'typed';

/**
 * Stores the typed values and returns the path at which the request's page shows them again. If nothing was changed,
 * stores nothing and returns the plain path.
 */
async function pathKeeping(c: ManageContext, typed: TypedForm): Promise<string> {
  return (await keptPath(c, typed)) ?? shownPath(c);
}

/**
 * Stores the typed values for this member and returns the path at which the request's page shows them. Returns null,
 * without storing anything, if nothing in the form was changed.
 */
async function keptPath(c: ManageContext, typed: TypedForm): Promise<string | null> {
  const { ctx, language } = c.var;
  const requestId = idOf(c);
  const review = await readReview(ctx, requestId);
  const initial = initialForm(review, language);
  const untouched = { ...untouchedForm(initial.lines, typed.prescriptions), ...initial };
  // A form without lines (the request was decided, for example) gets the initial values of everything that a draft
  // holds.
  const kept = typed.lines.length > 0 ? typed : { ...typed, ...initial };
  if (isUntouched(kept, untouched, presetsOf(review, language))) return null;
  const { memberId } = signedIn(c).actor;
  const id = newFormId();
  await leavePageData(ctx, { id, memberId, data: { requestId, typed: kept }, expiresAt: ctx.now() + TYPED_KEPT_MS });
  return `${requestPath(requestId)}?${TYPED}=${id}`;
}

/** The form values kept for this member and request, if the URL has their id. */
async function keptForm(c: ManageContext): Promise<TypedForm | undefined> {
  const id = c.req.query(TYPED);
  if (id === undefined || !isFormId(id)) return undefined;
  // SAFETY: the id is too long to be guessed, and only `pathKeeping` gives one to this page.
  const kept = (await readPageData(c.var.ctx, id)) as { requestId: string; typed: TypedForm } | undefined;
  return kept?.requestId === idOf(c) ? kept.typed : undefined;
}

/**
 * Responds with the request's page and the errors of the typed values. If the last row has only a product, and this
 * product is found, the page shows no errors: it adds the product with the quantity 1 and its own price.
 */
async function respondLook(c: ManageContext): Promise<Response> {
  const typed = typedForm(c.var);
  const row = typed.lines.length - 1;
  const added = typed.lines[row];
  if (added && `${added.quantity}${added.price}` === '') {
    const found = await productsFor(c, added.productId);
    const product = found.length === 1 ? found[0] : found.find(({ p1Id }) => p1Id === added.productId);
    if (product) {
      const price = priceText(product.priceCents, c.var.language);
      typed.lines[row] = { ...added, productId: product.p1Id, quantity: '1', price };
      return respondReview(c, { ...typed, added: row });
    }
  }
  return respondReview(c, { ...typed, isChecked: true, fieldErrors: readTyped(c, typed).fieldErrors });
}

async function productsFor(c: ManageContext, typed: string) {
  const text = [...plainLine(typed)].slice(0, SEARCH_MAX).join('');
  return text === '' ? [] : findProductsFor(c.var.ctx, { id: idOf(c), text });
}

const ID_MAX = 64;

/**
 * `GET /manage/today`: the figures of the day as text. The inbox loads them after the page, because reading them takes
 * longer than reading the list.
 */
export async function respondTodayLine(c: ManageContext): Promise<Response> {
  const { sums } = await readToday(c.var.ctx);
  return c.text(messages(c.var).today(sums, formatMoney(sums.cashCents, c.var)));
}

/** Order requests: the inbox and the decisions. */
export const requestRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const tab = INBOX_TABS.find((each) => each === c.req.query('tab')) ?? 'open';
    const { text: search, refused } = readSearch(c);
    const filter = { tab, search, shopId: asId(c.req.query('shop')), after: asId(c.req.query('after')) };
    const { ctx, inboxVersion = '' } = c.var;
    // Ages change all at once, at each full minute, so the page stays the same within a minute.
    const now = ctx.now() - (ctx.now() % MINUTE_MS);
    // Only the script sends the tag back: browsers do not store these pages.
    const tag = isFetchedByScript(c) && refused === undefined ? await inboxTag(c, now) : undefined;
    if (tag !== undefined && isKnown(c, tag)) return c.body(null, 304, { ETag: tag });
    const inbox = await readInbox(ctx, filter, inboxVersion);
    c.set('waiting', inbox.tabCounts.open.count);
    c.set('toPack', inbox.toPack);
    if (tag !== undefined) c.header('ETag', tag);
    return respondPage(
      c,
      <InboxPage {...{ filter, inbox, now, refused }} showsToday={holds(ctx, 'reports.read')} />,
      refused === undefined ? 200 : 400,
    );
  })
  .get('/:id', async (c) => respondReview(c, await keptForm(c)))
  // The search for a line's product. Returns only the choices, which the script shows as a list box (client/picker.js).
  .get('/:id/products', async (c) => {
    return c.html(render(c.var, <ChoiceList found={await productsFor(c, c.req.query('q') ?? '')} />));
  })
  .route('/', timelineRoutes)
  .route('/', draftRoutes)
  // Enter in a field comes here. It checks the lines and shows obstacles, but decides nothing.
  .post('/:id/check', respondLook)
  .post('/:id/approve', async (c) => {
    // The button of a line was pressed: it sets fields and decides nothing.
    if (c.var.form.text('set') !== '') return respondLook(c);
    const typed = typedForm(c.var);
    const { fieldErrors, lines, rows, checked } = readTyped(c, typed);
    const overrideReason = typed.override_reason || undefined;
    if (isTooLong(overrideReason)) fieldErrors.override_reason = sharedMessages(c.var).fieldErrors.note_too_long;
    if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
    const draft = { ...draftOf(typed, lines, checked), prescriptionsVersion: typed.prescriptions };
    return decideRequest(c, {
      run: () => approveOrderRequest(c.var.ctx, { id: idOf(c), ...draft, overrideReason }),
      typed: (error) => ({ ...typed, ...refusedApproval(c.var, error, typed, rows) }),
      onDone: () => redirectToNext(c, 'request_approved'),
    });
  })
  // A button of the request's form, so that typed values are kept.
  .post('/:id/set-aside', async (c) => {
    const { form, ctx } = c.var;
    const typed = typedForm(c.var);
    const { undo, aside } = form.texts('undo', 'aside');
    const requestId = idOf(c);
    const reason = form.text(`aside-${aside}`);
    const { common, prescriptions: t, fieldErrors: texts } = sharedMessages(c.var);
    const fault =
      reason === '' ? common.required(t.setAsideReason) : isTooLong(reason) ? texts.note_too_long : undefined;
    if (undo === '' && fault) return respondReview(c, { ...typed, fieldErrors: { [`aside-${aside}`]: fault } });
    return undo === ''
      ? writeDown(c, typed, typed, 'prescription_set_aside', () =>
          setAsidePrescription(ctx, { id: aside, requestId, reason }),
        )
      : writeDown(c, typed, typed, 'prescription_taken_back', () => undoSetAside(ctx, { id: undo, requestId }));
  })
  .post('/:id/reject', (c) => {
    const { common, fieldErrors: texts, orders } = sharedMessages(c.var);
    const typed = typedForm(c.var);
    const note = typed.reject_note;
    const reasonCode = REASON_CODES.find((code) => code === typed.reason_code);
    const fieldErrors = {
      ...(!reasonCode && { reason_code: texts.reason_required }),
      ...(reasonCode === 'other' && note === '' && { reject_note: common.required(orders.fields.note) }),
      ...(isTooLong(note) && { reject_note: texts.note_too_long }),
    };
    if (hasFieldErrors(fieldErrors) || !reasonCode) return respondReview(c, { ...typed, fieldErrors });
    return decideRequest(c, {
      run: () => rejectOrderRequest(c.var.ctx, { id: idOf(c), reasonCode, note: note || null }),
      typed: () => typed,
      onDone: () => redirectToNext(c, 'request_rejected'),
    });
  })
  .post('/:id/reopen', (c) =>
    decideRequest(c, {
      run: () => reopenOrderRequest(c.var.ctx, idOf(c)),
      onDone: () => redirectBack(c, 'request_reopened'),
    }),
  )
  .post('/:id/prescriptions/:prescription/fetch', async (c) => {
    const { id, prescription } = c.req.param();
    const typed = typedForm(c.var);
    return writeDown(c, typed, typed, 'prescription_asked', () => fetchAgain(c.var.ctx, prescription, id));
  })
  .post('/:id/prescription', (c) => {
    const typed = typedForm(c.var);
    return upload(
      c,
      (bytes) => addPrescription(c.var.ctx, { id: idOf(c), bytes }),
      // If the body was too large, no typed values were read.
      (fieldErrors) => respondReview(c, typed.lines.length === 0 ? { fieldErrors } : { ...typed, fieldErrors }),
      (run) => writeDown(c, typed, typed, 'prescription_uploaded', run),
    );
  })
  .get('/:id/hold', respondHold)
  .post('/:id/hold', async (c) => {
    const isOnLegalHold = c.var.form.text('held') === 'yes';
    await setLegalHold(c.var.ctx, { requestId: idOf(c), isOnLegalHold });
    return redirectBack(c, isOnLegalHold ? 'request_held' : 'request_released');
  })
  .get('/:id/delete', (c) =>
    respondQuestion(c, 'delete', (review, t) => ({
      title: t.deleteTitle(personOf(review)),
      lead: t.deleteLead,
      act: t.delete,
    })),
  )
  .post('/:id/delete', (c) =>
    decideRequest(c, {
      run: () => deleteOrderRequest(c.var.ctx, idOf(c)),
      onDone: () => redirectToNext(c, 'request_deleted'),
    }),
  );

function redirectBack(c: ManageContext, flash: Flash): Response {
  return redirectWithFlash(c, flash, shownPath(c));
}

type Question = Pick<ConfirmProps, 'title' | 'lead' | 'act' | 'children'>;

/** Asks for confirmation before the request is changed. @param step the last part of the action's path */
async function respondQuestion(
  c: ManageContext,
  step: 'delete' | 'hold',
  ask: (review: Review, t: ReturnType<typeof messages>) => Question,
): Promise<Response> {
  const review = await readReview(c.var.ctx, idOf(c));
  const path = requestPath(review.request.id);
  const question = ask(review, messages(c.var));
  return respondPage(c, <ConfirmPage {...{ ...question }} action={`${path}/${step}`} back={path} />);
}

/** Asks for confirmation before the legal hold is set or released. */
async function respondHold(c: ManageContext): Promise<Response> {
  requireRole(c.var.ctx, ['owner']);
  return respondQuestion(c, 'hold', (review, t) => {
    const isOnLegalHold = review.request.legalHold;
    const person = personOf(review);
    const texts = isOnLegalHold
      ? { title: t.releaseTitle(person), lead: t.releaseLead, act: t.releaseNow }
      : { title: t.holdTitle(person), lead: t.holdLead, act: t.holdNow };
    return { ...texts, children: <Hidden name="held" value={isOnLegalHold ? 'no' : 'yes'} /> };
  });
}

/**
 * The entity tag of everything that the inbox shows. It contains the version of the inbox instead of the requests, so
 * the requests need not be read.
 */
function inboxTag(c: ManageContext, now: number): Promise<string> {
  const { ctx, session, language, formToken, stopped, isIntakeOff, inboxVersion } = c.var;
  const forReader = [session, language, hasShortcuts(c), formToken, stopped, isIntakeOff];
  return entityTag([ctx.config.version, pathOf(c), now, inboxVersion, ...forReader]);
}

function asId(text: string | undefined): string | undefined {
  return text !== undefined && text !== '' && text.length <= ID_MAX ? text : undefined;
}

/** The page of a request in its current state, with typed values and errors. */
async function respondReview(c: ManageContext, state: ReviewState = {}): Promise<Response> {
  const { draft, rows } = draftIn(c, state);
  const review = await readReview(c.var.ctx, idOf(c), draft);
  const form = state.lines?.length || !review.request.draft ? { rows } : preparedForm(c, review);
  const status = state.conflict ? 409 : hasFieldErrors(state.fieldErrors ?? {}) ? 400 : 200;
  return respondPage(
    c,
    <ReviewPage review={review} state={{ ...state, ...form, isWide: isPaneWide(c) }} />,
    status,
    requestPath(review.request.id),
  );
}

/** The saved draft as form values. */
function preparedForm({ var: reader }: ManageContext, review: Review) {
  const form = initialForm(review, reader.language);
  return { ...form, rows: readLines(form.lines, reader, reader.ctx.now()).rows };
}

/** Returns the draft for which obstacles are computed, and the row of each line; `{}` if no lines were typed. */
function draftIn(c: ManageContext, state: ReviewState) {
  const { lines: typedLines } = state;
  if (!typedLines?.length) return {};
  const { lines, rows } = readLines(typedLines, c.var, c.var.ctx.now());
  const typed = { ...untouchedForm(typedLines, ''), ...state, lines: typedLines };
  const { checked } = readChecks(typed.checks, c.var.ctx.now(), messages(c.var));
  return { draft: draftOf(typed, lines, checked), rows };
}

/** Reads the typed form, with errors by field. */
function readTyped(c: ManageContext, typed: TypedForm) {
  const { lines, rows, fieldErrors } = readLines(typed.lines, c.var, c.var.ctx.now());
  const checks = readChecks(typed.checks, c.var.ctx.now(), messages(c.var));
  return { lines, rows, checked: checks.checked, fieldErrors: { ...fieldErrors, ...checks.fieldErrors } };
}

interface Decision {
  run: () => Promise<unknown>;
  /** Returns the form values and errors that the page shows after a refusal. */
  typed?: (error: AppError) => ReviewState;
  onDone: () => Response | Promise<Response>;
}

/** Runs a decision about the request. After a conflict, shows the current request with the text of the conflict. */
function decideRequest(c: ManageContext, { run, typed, onDone }: Decision): Promise<Response> {
  const refuse = (error: AppError) => {
    if (error.kind !== 'conflict') return null;
    const { conflicts } = sharedMessages(c.var).requests;
    const conflict = textFor(conflicts, error.code, conflicts.other);
    return respondReview(c, { ...typed?.(error), conflict });
  };
  return submitDecision(run, refuse, onDone);
}

/** Redirects to the next waiting request, else to the inbox. */
async function redirectToNext(c: ManageContext, flash: Flash): Promise<Response> {
  const id = idOf(c);
  const next = await nextOpenRequest(c.var.ctx, id);
  return redirectWithFlash(c, flash, next === null ? REQUESTS : requestPath(next), id);
}

/**
 * The state of the page after a refused approval. Each obstacle is an error of the field that can resolve it. If the
 * prescriptions have changed, their ticks are removed instead.
 */
function refusedApproval(
  view: Pick<View, 'language' | 'session'>,
  error: AppError,
  typed: TypedForm,
  rows: readonly number[],
): ReviewState {
  // The ticks are removed because the prescriptions have changed.
  if (error.code === 'prescriptions_changed') return { checks: typed.checks.map((each) => ({ ...each, sha256: '' })) };
  if (!(error instanceof NotApprovable)) return {};
  const t = messages(view);
  const fieldErrors: FieldErrors = {};
  for (const blocker of error.blockers) {
    const row = 'pointer' in blocker ? rows[indexOf(blocker.pointer)] : undefined;
    if (blocker.code === 'unmatched_line') fieldErrors[`product-${row}`] = blockerText(view, blocker.code);
    if (blocker.code === 'prescription_price') fieldErrors[`price-${row}`] = blockerText(view, blocker.code);
    if ('difference' in blocker) fieldErrors[`acknowledged-${row}`] = t.acknowledgeMissing;
    if (blocker.code === 'question_open') fieldErrors[`question-${blocker.questionId}`] = t.questionOpen;
    if (blocker.code === 'signature_unconfirmed') fieldErrors[`confirm-${blocker.prescriptionId}`] = t.confirmMissing;
    if (blocker.code === 'payment_undecided') fieldErrors.payment = t.choose(sharedMessages(view).orders.payment);
    if (blocker.code === 'fee_differs') fieldErrors.remainder = t.choose(t.blockerShort.fee_differs);
    if (blocker.code === 'prescription_expired') {
      fieldErrors[`issued-${blocker.prescriptionId}`] = blockerText(view, blocker.code);
    }
    if (blocker.code === 'prescription_not_reviewed') {
      for (const { id, sha256 } of typed.checks) if (sha256 === '') fieldErrors[`checked-${id}`] = t.tickMissing;
    }
    if (blocker.code !== 'insufficient_stock') continue;
    const short = typed.lines.findIndex(({ productId }) => productId === blocker.p1Id);
    if (short >= 0) fieldErrors[`quantity-${short}`] = t.shortage(blocker.requested, blocker.stockQuantity);
  }
  if (error.blockers.some(({ overridable }) => overridable) && typed.override_reason === '') {
    fieldErrors.override_reason = sharedMessages(view).common.required(t.override);
  }
  return { fieldErrors };
}
