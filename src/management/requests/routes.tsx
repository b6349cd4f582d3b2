import { Hono } from 'hono';
import {
  addPrescription,
  approveOrderRequest,
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
import { SEARCH_MAX } from '../../platform/limits';
import { approvePrescription, fetchAgain } from '../../prescriptions/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { requestPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import { hasFaults } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { upload } from '../ui/upload';
import { answerPage, viewOf } from '../ui/view';
import { InboxPage } from './inbox-page';
import { readLines, typedLines } from './lines';
import { messages } from './messages';
import { answerChoices, answerPicking } from './picker';
import { answerReview, decide, goOn, refusedApproval } from './review';
import { personOf } from './review-page';

const ID_MAX = 64;

/** Order requests: what waits, and what becomes of it. */
export const requestRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const tab = INBOX_TABS.find((each) => each === c.req.query('tab')) ?? 'open';
    const typed = (c.req.query('q') ?? '')
      .replace(/\p{Cc}/gu, '')
      .trim()
      .normalize('NFC');
    const isTooLong = [...typed].length > SEARCH_MAX;
    const filter = {
      tab,
      shopId: idOf(c.req.query('shop')),
      search: isTooLong ? undefined : typed || undefined,
      after: idOf(c.req.query('after')),
    };
    const inbox = await readInbox(c.var.ctx, filter);
    const view = await viewOf(c);
    const { baseUrl } = c.var.ctx.config;
    const refused = isTooLong ? typed.slice(0, SEARCH_MAX * 2) : undefined;
    return answerPage(c, <InboxPage {...{ view, filter, inbox, refused, baseUrl }} />, isTooLong ? 400 : 200);
  })
  .get('/:id', (c) => answerReview(c, c.req.param('id')))
  .get('/:id/products', (c) => answerChoices(c, c.req.param('id')))
  .post('/:id/products', (c) => answerPicking(c, c.req.param('id')))
  // What Enter in a field does: the page with what was typed, and what would stand in the way of it.
  .post('/:id/check', (c) => {
    const lines = typedLines(c.var.form);
    const { faults } = readLines(lines, c.var);
    const state = { lines, overrideReason: c.var.form.text('override_reason'), isChecked: true };
    return answerReview(c, c.req.param('id'), { ...state, faults });
  })
  .post('/:id/approve', async (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const id = c.req.param('id');
    const lines = typedLines(form);
    const overrideReason = form.text('override_reason');
    const { faults, lines: read } = readLines(lines, c.var);
    if (overrideReason.length > NOTE_MAX) faults.override_reason = shared.fieldErrors.note_too_long;
    const state = { lines, overrideReason };
    if (hasFaults(faults)) return answerReview(c, id, { ...state, faults });
    const approval = { id, lines: read.map(({ line }) => line), overrideReason: overrideReason || undefined };
    return decide(
      c,
      id,
      () => approveOrderRequest(ctx, approval),
      (error) => ({ ...state, ...refusedApproval(c.var, error, lines, read, overrideReason) }),
      () => goOn(c, id, 'request_approved'),
    );
  })
  .post('/:id/reject', (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const t = messages(c.var);
    const id = c.req.param('id');
    const note = form.text('reject_note');
    const reasonCode = REASON_CODES.find((code) => code === form.text('reason_code'));
    const state = { reasonCode, rejectNote: note };
    const faults = {
      ...(!reasonCode && { reason_code: shared.fieldErrors.reason_code }),
      ...(reasonCode === 'other' && note === '' && { reject_note: shared.common.required(t.note) }),
      ...(note.length > NOTE_MAX && { reject_note: shared.fieldErrors.note_too_long }),
    };
    if (hasFaults(faults) || !reasonCode) return answerReview(c, id, { ...state, faults });
    return decide(
      c,
      id,
      () => rejectOrderRequest(ctx, { id, reasonCode, note: note || null }),
      () => state,
      () => goOn(c, id, 'request_rejected'),
    );
  })
  .post('/:id/needs-info', (c) => {
    const { form, ctx } = c.var;
    const shared = sharedMessages(c.var);
    const t = messages(c.var);
    const id = c.req.param('id');
    const isSettled = form.text('settled') === 'yes';
    const infoNote = form.text('info_note');
    const faults = {
      ...(!isSettled && infoNote === '' && { info_note: shared.common.required(t.infoNote) }),
      ...(infoNote.length > NOTE_MAX && { info_note: shared.fieldErrors.note_too_long }),
    };
    if (hasFaults(faults)) return answerReview(c, id, { infoNote, faults });
    return decide(
      c,
      id,
      () => markNeedsInfo(ctx, { id, note: isSettled ? null : infoNote }),
      () => ({ infoNote }),
      () => (isSettled ? done(c, 'info_settled', requestPath(id)) : goOn(c, id, 'info_noted')),
    );
  })
  .post('/:id/reopen', (c) => {
    const id = c.req.param('id');
    return act(c, id, () => reopenOrderRequest(c.var.ctx, id), 'request_reopened');
  })
  .post('/:id/prescriptions/:prescription/approve', (c) => {
    const { id, prescription } = c.req.param();
    return act(c, id, () => approvePrescription(c.var.ctx, prescription), 'prescription_approved');
  })
  .post('/:id/prescriptions/:prescription/fetch', (c) => {
    const { id, prescription } = c.req.param();
    return act(c, id, () => fetchAgain(c.var.ctx, prescription), 'prescription_asked');
  })
  .post('/:id/prescription', (c) => {
    const id = c.req.param('id');
    return upload(
      c,
      (bytes) => addPrescription(c.var.ctx, { id, bytes }),
      (faults) => answerReview(c, id, { faults }),
      (run) =>
        decide(
          c,
          id,
          run,
          () => ({}),
          () => done(c, 'prescription_uploaded', requestPath(id)),
        ),
    );
  })
  .get('/:id/hold', (c) => answerHold(c, c.req.param('id')))
  .post('/:id/hold', async (c) => {
    const id = c.req.param('id');
    const isOnLegalHold = c.var.form.text('held') === 'yes';
    await setLegalHold(c.var.ctx, { requestId: id, isOnLegalHold });
    return done(c, isOnLegalHold ? 'request_held' : 'request_released', requestPath(id));
  })
  .get('/:id/delete', (c) => answerDelete(c, c.req.param('id')))
  .post('/:id/delete', (c) => {
    const id = c.req.param('id');
    return decide(
      c,
      id,
      () => deleteOrderRequest(c.var.ctx, id),
      () => ({}),
      () => goOn(c, id, 'request_deleted'),
    );
  });

/** What leaves the request where it is. */
function act(c: ManageContext, id: string, run: () => Promise<unknown>, flash: Parameters<typeof done>[1]) {
  return decide(
    c,
    id,
    run,
    () => ({}),
    () => done(c, flash, requestPath(id)),
  );
}

async function answerDelete(c: ManageContext, id: string): Promise<Response> {
  const review = await readReview(c.var.ctx, id);
  const view = await viewOf(c);
  const t = messages(view);
  const path = requestPath(review.request.id);
  const title = t.deleteTitle(personOf(review));
  const texts = { title, lead: t.deleteLead, act: t.delete };
  return answerPage(c, <ConfirmPage {...{ view, ...texts }} action={`${path}/delete`} back={path} />);
}

/** Keeping for legal reasons, or no longer: the opposite of what is. */
async function answerHold(c: ManageContext, id: string): Promise<Response> {
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
  return answerPage(c, page);
}

function idOf(text: string | undefined): string | undefined {
  return text !== undefined && text !== '' && text.length <= ID_MAX ? text : undefined;
}
