import { Hono } from 'hono';
import {
  addPrescription,
  approveOrderRequest,
  approvePrescriptionFor,
  deleteOrderRequest,
  INBOX_TABS,
  markNeedsInfo,
  readInbox,
  readReview,
  rejectOrderRequest,
  reopenOrderRequest,
  setLegalHold,
} from '../../order-requests/service';
import { NOTE_MAX } from '../../orders/limits';
import { REASON_CODES } from '../../orders/service';
import { requireRole } from '../../platform/access';
import { MINUTE_MS } from '../../platform/time';
import { fetchAgain } from '../../prescriptions/service';
import { entityTag, isFetchedByScript, isKnown } from '../http/entity-tag';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { pathOf, requestPath } from '../http/paths';
import { readSearch } from '../http/search';
import { hasShortcuts } from '../http/shortcuts';
import { ConfirmPage } from '../ui/confirm';
import { hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { upload } from '../ui/upload';
import { respondPage, viewOf } from '../ui/view';
import { InboxPage } from './inbox-page';
import { keptForm, pathKeeping } from './kept-lines';
import { readLines, typedLines } from './lines';
import { messages } from './messages';
import { pickerRoutes } from './picker-routes';
import { decideRequest, redirectToNext, refusedApproval, respondReview } from './responses';
import { personOf } from './review-page';

const ID_MAX = 64;

/** Order requests: the inbox and the decisions. */
export const requestRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const tab = INBOX_TABS.find((each) => each === c.req.query('tab')) ?? 'open';
    const { text: search, refused } = readSearch(c);
    const filter = {
      tab,
      shopId: idOf(c.req.query('shop')),
      search,
      after: idOf(c.req.query('after')),
    };
    const { ctx, inboxVersion = '' } = c.var;
    // Ages change with the minute of the clock, all at once, so that for the rest of it the page stays the same.
    const now = wholeMinute(ctx.now());
    // Nobody else would send it back: a browser that stores no page has no tag of one.
    const tag = isFetchedByScript(c) && refused === undefined ? await inboxTag(c, now) : undefined;
    if (tag !== undefined && isKnown(c, tag)) return c.body(null, 304, { ETag: tag });
    const inbox = await readInbox(ctx, filter, inboxVersion);
    const view = { ...(await viewOf(c)), now, waiting: inbox.tabCounts.open.count, toPack: inbox.toPack };
    if (tag !== undefined) c.header('ETag', tag);
    return respondPage(
      c,
      <InboxPage {...{ view, filter, inbox, refused }} baseUrl={ctx.config.baseUrl} />,
      refused === undefined ? 200 : 400,
    );
  })
  .get('/:id', async (c) => respondReview(c, c.req.param('id'), await keptForm(c, c.req.param('id'))))
  .route('/', pickerRoutes)
  // Enter in a field comes here: it checks the typed lines and shows the obstacles, but decides nothing.
  .post('/:id/check', (c) => {
    const lines = typedLines(c.var.form);
    const { fieldErrors } = readLines(lines, c.var);
    const state = { lines, overrideReason: c.var.form.text('override_reason'), isChecked: true };
    return respondReview(c, c.req.param('id'), { ...state, fieldErrors });
  })
  .post('/:id/approve', async (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const id = c.req.param('id');
    const lines = typedLines(form);
    const overrideReason = form.text('override_reason');
    const { fieldErrors, lines: read } = readLines(lines, c.var);
    if (overrideReason.length > NOTE_MAX) fieldErrors.override_reason = shared.fieldErrors.note_too_long;
    const state = { lines, overrideReason };
    if (hasFieldErrors(fieldErrors)) return respondReview(c, id, { ...state, fieldErrors });
    const approval = { id, lines: read.map(({ line }) => line), overrideReason: overrideReason || undefined };
    return decideRequest(c, id, {
      run: () => approveOrderRequest(ctx, approval),
      typed: (error) => ({ ...state, ...refusedApproval(c.var, error, lines, read, overrideReason) }),
      onDone: () => redirectToNext(c, id, 'request_approved'),
    });
  })
  .post('/:id/reject', (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const t = messages(c.var);
    const id = c.req.param('id');
    const note = form.text('reject_note');
    const reasonCode = REASON_CODES.find((code) => code === form.text('reason_code'));
    const state = { reasonCode, rejectNote: note };
    const fieldErrors = {
      ...(!reasonCode && { reason_code: shared.fieldErrors.reason_code }),
      ...(reasonCode === 'other' && note === '' && { reject_note: shared.common.required(t.note) }),
      ...(note.length > NOTE_MAX && { reject_note: shared.fieldErrors.note_too_long }),
    };
    if (hasFieldErrors(fieldErrors) || !reasonCode) return respondReview(c, id, { ...state, fieldErrors });
    return decideRequest(c, id, {
      run: () => rejectOrderRequest(ctx, { id, reasonCode, note: note || null }),
      typed: () => state,
      onDone: () => redirectToNext(c, id, 'request_rejected'),
    });
  })
  .post('/:id/needs-info', (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const t = messages(c.var);
    const id = c.req.param('id');
    const isSettled = form.text('settled') === 'yes';
    const infoNote = form.text('info_note');
    const fieldErrors = {
      ...(!isSettled && infoNote === '' && { info_note: shared.common.required(t.infoNote) }),
      ...(infoNote.length > NOTE_MAX && { info_note: shared.fieldErrors.note_too_long }),
    };
    if (hasFieldErrors(fieldErrors)) return respondReview(c, id, { infoNote, fieldErrors });
    return decideRequest(c, id, {
      run: () => markNeedsInfo(ctx, { id, note: isSettled ? null : infoNote }),
      typed: () => ({ infoNote }),
      onDone: () =>
        isSettled ? redirectWithFlash(c, 'info_settled', requestPath(id)) : redirectToNext(c, id, 'info_noted'),
    });
  })
  .post('/:id/reopen', (c) => {
    const id = c.req.param('id');
    return decideInPlace(c, id, () => reopenOrderRequest(c.var.ctx, id), 'request_reopened');
  })
  // It covers the lines as they are typed, and the page shows them again.
  .post('/:id/prescriptions/:prescription/approve', (c) => {
    const { id, prescription } = c.req.param();
    const { form, ctx } = c.var;
    const lines = typedLines(form);
    const overrideReason = form.text('override_reason');
    const { fieldErrors, lines: read } = readLines(lines, c.var);
    const state = { lines, overrideReason };
    if (hasFieldErrors(fieldErrors)) return respondReview(c, id, { ...state, fieldErrors });
    // A request that was decided is shown without the form, and its lines are those that were approved.
    const typed = lines.length > 0 ? read.map(({ line }) => line) : undefined;
    return decideRequest(c, id, {
      run: () => approvePrescriptionFor(ctx, prescription, typed, id),
      typed: () => state,
      onDone: async () =>
        redirectWithFlash(c, 'prescription_approved', typed ? await pathKeeping(c, id, state) : requestPath(id)),
    });
  })
  .post('/:id/prescriptions/:prescription/fetch', (c) => {
    const { id, prescription } = c.req.param();
    return decideInPlace(c, id, () => fetchAgain(c.var.ctx, prescription, id), 'prescription_asked');
  })
  .post('/:id/prescription', (c) => {
    const id = c.req.param('id');
    return upload(
      c,
      (bytes) => addPrescription(c.var.ctx, { id, bytes }),
      (fieldErrors) => respondReview(c, id, { fieldErrors }),
      (run) =>
        decideRequest(c, id, {
          run,
          onDone: () => redirectWithFlash(c, 'prescription_uploaded', requestPath(id)),
        }),
    );
  })
  .get('/:id/hold', (c) => respondHold(c, c.req.param('id')))
  .post('/:id/hold', async (c) => {
    const id = c.req.param('id');
    const isOnLegalHold = c.var.form.text('held') === 'yes';
    await setLegalHold(c.var.ctx, { requestId: id, isOnLegalHold });
    return redirectWithFlash(c, isOnLegalHold ? 'request_held' : 'request_released', requestPath(id));
  })
  .get('/:id/delete', (c) => respondDelete(c, c.req.param('id')))
  .post('/:id/delete', (c) => {
    const id = c.req.param('id');
    return decideRequest(c, id, {
      run: () => deleteOrderRequest(c.var.ctx, id),
      onDone: () => redirectToNext(c, id, 'request_deleted'),
    });
  });

/** An action after which the page stays at the same request. */
function decideInPlace(
  c: ManageContext,
  id: string,
  run: () => Promise<unknown>,
  flash: Parameters<typeof redirectWithFlash>[1],
) {
  return decideRequest(c, id, {
    run,
    onDone: () => redirectWithFlash(c, flash, requestPath(id)),
  });
}

async function respondDelete(c: ManageContext, id: string): Promise<Response> {
  const review = await readReview(c.var.ctx, id);
  const view = await viewOf(c);
  const t = messages(view);
  const path = requestPath(review.request.id);
  const title = t.deleteTitle(personOf(review));
  const texts = { title, lead: t.deleteLead, act: t.delete };
  return respondPage(c, <ConfirmPage {...{ view, ...texts }} action={`${path}/delete`} back={path} />);
}

/** Sets or releases the legal hold. */
async function respondHold(c: ManageContext, id: string): Promise<Response> {
  requireRole(c.var.ctx, ['owner']);
  const review = await readReview(c.var.ctx, id);
  const view = await viewOf(c);
  const t = messages(view);
  const path = requestPath(review.request.id);
  const isOnLegalHold = review.request.legalHold;
  const person = personOf(review);
  const texts = isOnLegalHold
    ? { title: t.releaseTitle(person), lead: t.releaseLead, act: t.releaseNow }
    : { title: t.holdTitle(person), lead: t.holdLead, act: t.holdNow };
  const page = (
    <ConfirmPage {...{ view, ...texts }} action={`${path}/hold`} back={path}>
      <input type="hidden" name="held" value={isOnLegalHold ? 'no' : 'yes'} />
    </ConfirmPage>
  );
  return respondPage(c, page);
}

/** Over everything that the inbox shows; of its requests only their version, without which they are not read. */
function inboxTag(c: ManageContext, now: number): Promise<string> {
  const { ctx, session, language, formToken, stopped, inboxVersion } = c.var;
  const forReader = [session, language, hasShortcuts(c), formToken, stopped];
  return entityTag([ctx.config.version, pathOf(c), now, inboxVersion, ...forReader]);
}

function wholeMinute(time: number): number {
  return time - (time % MINUTE_MS);
}

function idOf(text: string | undefined): string | undefined {
  return text !== undefined && text !== '' && text.length <= ID_MAX ? text : undefined;
}
