import { Hono } from 'hono';
import {
  addPrescription,
  approveOrderRequest,
  deleteOrderRequest,
  INBOX_TABS,
  type Review,
  readInbox,
  readReview,
  rejectOrderRequest,
  reopenOrderRequest,
  setAsidePrescription,
  setLegalHold,
  undoSetAside,
} from '../../order-requests/service';
import { REASON_CODES } from '../../orders/service';
import { requireRole } from '../../platform/access';
import { MINUTE_MS } from '../../platform/time';
import { fetchAgain } from '../../prescriptions/service';
import { entityTag, isFetchedByScript, isKnown } from '../http/entity-tag';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { idOf, pathOf, requestPath } from '../http/paths';
import { readSearch } from '../http/search';
import { hasShortcuts } from '../http/shortcuts';
import { ConfirmPage, type ConfirmProps } from '../ui/confirm';
import { hasFieldErrors } from '../ui/form-errors';
import { Hidden } from '../ui/hidden';
import { sharedMessages } from '../ui/messages';
import { upload } from '../ui/upload';
import { respondPage, viewOf } from '../ui/view';
import { draftRoutes } from './draft-routes';
import { InboxPage } from './inbox-page';
import { keptForm, pathKeeping } from './kept-lines';
import { messages } from './messages';
import { personOf } from './person-strip';
import { isLook, pickerRoutes, respondLook } from './picker-routes';
import { decideRequest, readTyped, redirectToNext, refusedApproval, respondReview } from './responses';
import { isTooLong } from './text-faults';
import { timelineRoutes } from './timeline-routes';
import { draftOf, typedForm } from './typed-form';

const ID_MAX = 64;

/** Order requests: the inbox and the decisions. */
export const requestRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const tab = INBOX_TABS.find((each) => each === c.req.query('tab')) ?? 'open';
    const { text: search, refused } = readSearch(c);
    const filter = { tab, search, shopId: asId(c.req.query('shop')), after: asId(c.req.query('after')) };
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
  .get('/:id', async (c) => respondReview(c, await keptForm(c)))
  .route('/', pickerRoutes)
  .route('/', timelineRoutes)
  .route('/', draftRoutes)
  // Enter in a field comes here: it checks the typed lines and shows the obstacles, but decides nothing.
  .post('/:id/check', respondLook)
  .post('/:id/approve', async (c) => {
    if (isLook(c.var.form)) return respondLook(c);
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
  // A button of the form of the lines: what is typed stays.
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
    return decideRequest(c, {
      run: () =>
        undo === ''
          ? setAsidePrescription(ctx, { id: aside, requestId, reason })
          : undoSetAside(ctx, { id: undo, requestId }),
      typed: () => typed,
      onDone: async () =>
        redirectWithFlash(
          c,
          undo === '' ? 'prescription_set_aside' : 'prescription_taken_back',
          await pathKeeping(c, typed),
        ),
    });
  })
  .post('/:id/reject', (c) => {
    const { ctx } = c.var;
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
      run: () => rejectOrderRequest(ctx, { id: idOf(c), reasonCode, note: note || null }),
      typed: () => typed,
      onDone: () => redirectToNext(c, 'request_rejected'),
    });
  })
  .post('/:id/reopen', (c) => decideInPlace(c, () => reopenOrderRequest(c.var.ctx, idOf(c)), 'request_reopened'))
  .post('/:id/prescriptions/:prescription/fetch', async (c) => {
    const { id, prescription } = c.req.param();
    const typed = typedForm(c.var);
    return decideRequest(c, {
      run: () => fetchAgain(c.var.ctx, prescription, id),
      typed: () => typed,
      onDone: async () => redirectWithFlash(c, 'prescription_asked', await pathKeeping(c, typed)),
    });
  })
  .post('/:id/prescription', (c) => {
    const typed = typedForm(c.var);
    return upload(
      c,
      (bytes) => addPrescription(c.var.ctx, { id: idOf(c), bytes }),
      // Of a body that is too large nothing was read.
      (fieldErrors) => respondReview(c, typed.lines.length === 0 ? { fieldErrors } : { ...typed, fieldErrors }),
      (run) =>
        decideRequest(c, {
          run,
          typed: () => typed,
          onDone: async () => redirectWithFlash(c, 'prescription_uploaded', await pathKeeping(c, typed)),
        }),
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

/** An action after which the page stays at the same request. */
function decideInPlace(c: ManageContext, run: () => Promise<unknown>, flash: Flash): Promise<Response> {
  return decideRequest(c, { run, onDone: () => redirectBack(c, flash) });
}

function redirectBack(c: ManageContext, flash: Flash): Response {
  return redirectWithFlash(c, flash, requestPath(idOf(c)));
}

type Question = Pick<ConfirmProps, 'title' | 'lead' | 'act' | 'children'>;

/** Asks before something is done to the request. @param step the last part of the action's path */
async function respondQuestion(
  c: ManageContext,
  step: 'delete' | 'hold',
  ask: (review: Review, t: ReturnType<typeof messages>) => Question,
): Promise<Response> {
  const review = await readReview(c.var.ctx, idOf(c));
  const view = await viewOf(c);
  const path = requestPath(review.request.id);
  const question = ask(review, messages(view));
  return respondPage(c, <ConfirmPage {...{ view, ...question }} action={`${path}/${step}`} back={path} />);
}

/** Sets or releases the legal hold. */
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

/** Over everything that the inbox shows; of its requests only their version, without which they are not read. */
function inboxTag(c: ManageContext, now: number): Promise<string> {
  const { ctx, session, language, formToken, stopped, isIntakeOff, inboxVersion } = c.var;
  const forReader = [session, language, hasShortcuts(c), formToken, stopped, isIntakeOff];
  return entityTag([ctx.config.version, pathOf(c), now, inboxVersion, ...forReader]);
}

function wholeMinute(time: number): number {
  return time - (time % MINUTE_MS);
}

function asId(text: string | undefined): string | undefined {
  return text !== undefined && text !== '' && text.length <= ID_MAX ? text : undefined;
}
