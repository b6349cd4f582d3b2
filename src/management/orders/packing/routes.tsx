import { Hono } from 'hono';
import type { JSX } from 'hono/jsx/jsx-runtime';
import { readDispensing } from '../../../order-requests/dispensing';
import { getOrderDetail, type OrderDetail } from '../../../orders/detail';
import { BAGS_MAX, BATCH_MAX, CHECKED_BY_MAX, NOTE_MAX, SHELF_MAX } from '../../../orders/limits';
import { packByHand, scanForOrder, setBatch, shelveOrder, unpackLine } from '../../../orders/packing/pack';
import { getOrder } from '../../../orders/read';
import {
  NotPacked,
  owedCount,
  PackExpired,
  REASON_CODES,
  suppliedCount,
  supplyKey,
  supplyOf,
  WrongPack,
} from '../../../orders/rules';
import type { Order } from '../../../orders/store';
import {
  arrive,
  cancelRest,
  expectOn,
  faultOfExpected,
  isPartOf,
  listExpected,
  scanArrival,
  splitLine,
} from '../../../orders/supply/supply';
import type { OrderLine } from '../../../orders/tables';
import { addOrderNote } from '../../../orders/timeline/notes';
import type { AppError } from '../../../platform/errors/errors';
import type { ManageContext, ManageEnv } from '../../http/env';
import { redirectWithFlash } from '../../http/flash';
import type { Reader } from '../../http/language';
import { once } from '../../http/once';
import { EXPECTED, idOf, labelledPath, orderPath } from '../../http/paths';
import { submitDecision } from '../../ui/confirm';
import { formatDate } from '../../ui/format';
import { sharedMessages } from '../../ui/messages';
import { type FieldErrors, fieldErrorsOf, hasFieldErrors, respondForm, respondPage } from '../../ui/view';
import { messages } from '../messages';
import { decideOrder, REFUSALS, respondOrder, shownPath } from '../responses';
import { packingMessages, supplyMessages } from './messages';
import { DispensingPage, LabelPage, OtherLabelPage, RestSlipPage, SlipPage } from './papers';
import type { ScanRefusal } from './scan-field';
import { CancelRestPage, ExpectedPage, SupplyPage, type SupplyProps, splittableOf } from './supply-page';

/** Parses grams as tenths: `11,2` becomes 112; null for any other text. */
function tenthsOf(text: string): number | null {
  const plain = text.replace(/g$/, '').trimEnd().replace(',', '.');
  return /^\d{1,4}(\.\d)?$/.test(plain) ? Math.round(Number(plain) * 10) : null;
}

/** Routes of packing, of the papers that go with the packs, and of packs that come later, arrive, or are cancelled. */
export const packingRoutes = new Hono<ManageEnv>()
  .post('/:id/scan', scan)
  .post('/:id/packs', (c) => {
    const { form, ctx } = c.var;
    const back = form.text('undo');
    if (back) return decideOrder(c, () => unpackLine(ctx, idOf(c), back), 'line_unpacked', '#packs');
    const key = form.text('hand');
    const batch = form.text('batch') || null;
    const isSaid = form.text('act') === 'batch';
    const t = packingMessages(c.var);
    if (batch !== null && batch.length > BATCH_MAX) return respondOrder(c, { fieldErrors: { batch: t.batchTooLong } });
    if (isSaid && batch === null) {
      return respondOrder(c, { fieldErrors: { batch: sharedMessages(c.var).common.required(t.batch) } });
    }
    if (isSaid && batch !== null) {
      return decideOrder(c, () => setBatch(ctx, idOf(c), form.text('batch-line'), batch), 'batch_set', '#packs');
    }
    const weighed = tenthsOf(form.text(`weighed-${key}`));
    const checkedBy = form.text(`checked-${key}`).slice(0, CHECKED_BY_MAX) || undefined;
    return decideOrder(c, () => packByHand(ctx, idOf(c), key, { weighed, checkedBy, batch }), 'line_packed', '#packs');
  })
  .post(
    '/:id/note',
    once(shownPath, (c) => {
      const { note } = c.var.form.texts('note');
      const { common, fieldErrors } = sharedMessages(c.var);
      const fault = note === '' ? common.required(messages(c.var).noteForTeam) : fieldErrors.note_too_long;
      if (note === '' || note.length > NOTE_MAX) return respondOrder(c, { note, fieldErrors: { note: fault } });
      return decideOrder(c, () => addOrderNote(c.var.ctx, { id: idOf(c), text: note }), 'note_saved');
    }),
  )
  .post('/:id/shelf', (c) => {
    const typed = c.var.form.texts('shelf', 'bags');
    const t = packingMessages(c.var);
    const bags = Number(typed.bags || 1);
    const fieldErrors: FieldErrors = {
      ...([...typed.shelf].length > SHELF_MAX && { shelf: t.shelfTooLong }),
      ...(!(Number.isInteger(bags) && bags >= 1 && bags <= BAGS_MAX) && { bags: t.bagsRange }),
    };
    if (hasFieldErrors(fieldErrors)) return respondOrder(c, { ...typed, fieldErrors });
    return decideOrder(c, () => shelveOrder(c.var.ctx, idOf(c), { shelf: typed.shelf || null, bags }), 'order_shelved');
  })
  .get('/:id/label', (c) => respondPaper(c, LabelPage))
  .get('/:id/slip', (c) => respondPaper(c, SlipPage))
  .get('/:id/dispensing-record', async (c) => {
    const record = await readDispensing(c.var.ctx, idOf(c));
    return respondPage(c, <DispensingPage record={record} />);
  })
  .get('/:id/later', async (c) => {
    const order = await getOrder(c.var.ctx, idOf(c));
    return respondSupply(c, order, Number(c.req.query('line')), {});
  })
  .post('/:id/later', supplyLater)
  .get('/:id/rest-slip', async (c) => {
    const detail = await getOrderDetail(c.var.ctx, idOf(c));
    if (owedCount(detail.order) === 0) return c.redirect(orderPath(idOf(c)), 303);
    return respondPage(c, <RestSlipPage detail={detail} />);
  })
  .get('/:id/cancel-rest', (c) => respondCancel(c))
  .post('/:id/cancel-rest', (c) => {
    const { form, ctx } = c.var;
    const reasonCode = REASON_CODES.find((known) => known === form.text('reason_code'));
    if (!reasonCode) return respondCancel(c, { reason_code: sharedMessages(c.var).fieldErrors.reason_required });
    const seen = form.text('seen');
    return decideOrder(c, () => cancelRest(ctx, idOf(c), { line: null, seen, reasonCode }), 'rest_cancelled');
  });

async function respondPaper(c: ManageContext, Paper: (props: { detail: OrderDetail }) => JSX.Element) {
  const detail = await getOrderDetail(c.var.ctx, idOf(c));
  return respondPage(c, <Paper detail={detail} />);
}

/** Handles a scan. The code is read unchanged, because the separator in a DataMatrix is a control character. */
function scan(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const seen = /^\d{1,6}$/.test(form.text('seen')) ? Number(form.text('seen')) : null;
  return submitDecision(
    () => scanForOrder(ctx, idOf(c), { text: form.secret('code'), seen }),
    (error) => {
      const refused = scanRefusal(c.var, error);
      return refused && respondOrder(c, { refused });
    },
    async (scanned) => {
      if (scanned.did === 'packed') {
        // Sets the focus on the field for the next scan, unless this was the last pack.
        return redirectWithFlash(c, 'pack_packed', `${orderPath(idOf(c))}${scanned.isLast ? '' : '#code'}`);
      }
      if (scanned.did === 'ready') return redirectWithFlash(c, 'order_moved', `${orderPath(idOf(c))}#status`);
      if (scanned.did === 'leaving') return c.redirect(`${orderPath(idOf(c))}/${scanned.by}`, 303);
      const { order, isUnfinished } = scanned;
      if (!isUnfinished) return c.redirect(labelledPath(order), 303);
      const own = await getOrder(ctx, idOf(c));
      return respondPage(c, <OtherLabelPage {...{ own, other: order }} />, 409, orderPath(own.id));
    },
  );
}

const ID_MAX = 64;

/** Routes of the list of expected goods. */
export const expectedRoutes = new Hono<ManageEnv>()
  .get('/', (c) => respondExpected(c))
  .post('/here', (c) => {
    const { form, ctx } = c.var;
    const [id = '', quantity, ...line] = form.text('line').split(' ');
    return submitDecision(
      () => arrive(ctx, id.slice(0, ID_MAX), { line: line.join(' '), quantity: Number(quantity) }),
      (error) => refuseHere(c, error),
      () => redirectWithFlash(c, 'rest_arrived', form.text('list') === 'later' ? `${EXPECTED}?later=1` : EXPECTED),
    );
  })
  .post('/scan', once(EXPECTED, scanExpected));

function scanExpected(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const last = form.text('last').slice(0, ID_MAX) || null;
  return submitDecision(
    () => scanArrival(ctx, { text: form.secret('code'), last }),
    (error) => refuseHere(c, error),
    async (scanned) => {
      const { order } = scanned;
      return c.redirect(
        scanned.did === 'label' ? labelledPath(scanned.order) : `${EXPECTED}?last=${order.id}#code`,
        303,
      );
    },
  );
}

function refuseHere(c: ManageContext, error: AppError): Promise<Response> | null {
  const refused = scanRefusal(c.var, error);
  return refused && respondExpected(c, refused);
}

async function respondExpected(c: ManageContext, refused?: ScanRefusal): Promise<Response> {
  const isLater = c.req.query('later') !== undefined || c.var.form?.text('list') === 'later';
  const lastId = c.req.query('last')?.slice(0, ID_MAX);
  const shown = c.req.query('from') ?? '';
  const from = /^\d{1,5}$/.test(shown) ? Number(shown) : 0;
  const expected = await listExpected(c.var.ctx, { isLater, lastId, from });
  return respondPage(c, <ExpectedPage {...{ ...expected, isLater, refused }} />, refused ? 409 : 200, EXPECTED);
}

async function supplyLater(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { language } = c.var;
  const t = supplyMessages({ language });
  const typed = form.texts('later', 'expected_on', 'arrived');
  const [line, act] = [form.text('line'), form.text('act')];
  const order = await getOrder(ctx, idOf(c));
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === line);
  const open = place < 0 ? 0 : act === 'arrived' ? supplyOf(order, place).owed : splittableOf(order, place);
  const field = act === 'arrived' ? 'arrived' : 'later';
  const count = /^\d{1,4}$/.test(typed[field]) ? Number(typed[field]) : 0;
  const isCounted = act !== 'day';
  // If the line has changed in the meantime, the command reports it.
  const fieldErrors: FieldErrors =
    place < 0
      ? {}
      : {
          ...(isCounted &&
            !isPartOf(order.items[place] as OrderLine, count, open) && {
              [field]: t.range(open, order.items[place]?.unitStep ?? 1),
            }),
          ...(act !== 'arrived' &&
            faultOfExpected(typed.expected_on, ctx.now()) !== null && {
              expected_on: sharedMessages(c.var).fieldErrors.expected_on,
            }),
        };
  if (hasFieldErrors(fieldErrors)) return respondSupply(c, order, place, typed, fieldErrors);
  const expectedOn = typed.expected_on;
  switch (act) {
    case 'arrived':
      return decideOrder(c, () => arrive(ctx, order.id, { line, quantity: count }), 'rest_arrived', '#packs');
    case 'day':
      return decideOrder(c, () => expectOn(ctx, order.id, { line, expectedOn }), 'expected_changed', '#packs');
    default:
      return decideOrder(
        c,
        () => splitLine(ctx, order.id, { line, quantity: count, expectedOn }),
        'line_split',
        '#packs',
      );
  }
}

async function respondSupply(
  c: ManageContext,
  order: Order,
  place: number,
  typed: SupplyProps['typed'],
  fieldErrors: FieldErrors = {},
): Promise<Response> {
  if (!order.items[place]) return c.redirect(orderPath(order.id), 303);
  return respondForm(c, <SupplyPage {...{ order, place, typed, fieldErrors }} />, fieldErrors);
}

/** Asks before owed packs are cancelled. If the whole order is owed, redirects to the cancellation of the order. */
async function respondCancel(c: ManageContext, fieldErrors?: FieldErrors): Promise<Response> {
  const order = await getOrder(c.var.ctx, idOf(c));
  if (owedCount(order) === 0) return c.redirect(orderPath(order.id), 303);
  const isAll =
    suppliedCount(order) === 0 && order.items.every(({ quantity }, place) => supplyOf(order, place).owed === quantity);
  if (isAll) return c.redirect(`${orderPath(order.id)}/cancel`, 303);
  return respondForm(c, <CancelRestPage {...{ order, fieldErrors }} />, fieldErrors);
}

/** The reason why a scan was refused, in some cases with the open lines. Null for errors that are not about scans. */
function scanRefusal(reader: Reader, error: AppError): ScanRefusal | null {
  const t = packingMessages(reader);
  if (error instanceof PackExpired) {
    return { title: t.expired, text: t.expiredOn(formatDate(Date.parse(error.expires), reader)) };
  }
  if (error instanceof NotPacked) {
    const { packed, packs, open } = error.progress;
    return { title: t.notPacked, text: t.soFar(packed, packs), open };
  }
  if (error instanceof WrongPack) {
    const { scanned, isTooMany, orderNumber, progress } = error;
    const { open } = progress;
    return isTooMany
      ? { title: t.tooMany, scanned, text: t.isComplete, open }
      : { title: t.wrongPack, scanned, text: t.belongsNot(orderNumber), open };
  }
  const said = fieldErrorsOf(reader, { ...REFUSALS, ...SCAN_REFUSALS }, error);
  const [text] = Object.values(said ?? {});
  return text === undefined ? null : { title: t.notCounted, text };
}

const SCAN_REFUSALS = {
  unknown_code: 'code',
  pack_already_scanned: 'code',
  pack_already_left: 'code',
  product_not_in_inventory: 'code',
  weighing_needed: 'code',
} as const;
