import { Hono } from 'hono';
import { BAGS_MAX, SHELF_MAX } from '../../orders/limits';
import {
  getOrder,
  getOrderDetail,
  NotPacked,
  type OrderDetail,
  PackExpired,
  packByHand,
  scanForOrder,
  shelveOrder,
  unpackLine,
  WrongPack,
} from '../../orders/service';
import type { AppError } from '../../platform/errors';
import type { Markup } from '../../platform/markup/markup';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { idOf, labelledPath, orderPath } from '../http/paths';
import { submitDecision } from '../ui/decision';
import { type FieldErrors, fieldErrorsOf, hasFieldErrors } from '../ui/form-errors';
import { formatDate } from '../ui/format';
import { respondPage, type View, viewOf } from '../ui/view';
import { LabelPage } from './label-page';
import { OtherLabelPage } from './other-label-page';
import { packingMessages } from './packing-messages';
import { openText } from './packing-panel';
import { decideOrder, REFUSALS, respondOrder } from './responses';
import { SlipPage } from './slip-page';

/** Routes of packing, and the papers that go with the packs. */
export const packingRoutes = new Hono<ManageEnv>()
  .post('/:id/scan', scan)
  .post('/:id/packs', (c) => {
    const { form, ctx } = c.var;
    const back = form.text('undo');
    if (back) return decideOrder(c, () => unpackLine(ctx, idOf(c), back), 'line_unpacked', '#packs');
    return decideOrder(c, () => packByHand(ctx, idOf(c), form.text('hand')), 'line_packed', '#packs');
  })
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
  .get('/:id/slip', (c) => respondPaper(c, SlipPage));

async function respondPaper(c: ManageContext, Paper: (props: { view: View; detail: OrderDetail }) => Markup) {
  const detail = await getOrderDetail(c.var.ctx, idOf(c));
  return respondPage(c, <Paper view={await viewOf(c)} detail={detail} />);
}

/** A separator within a DataMatrix is a control character, so the code is read as it was sent. */
function scan(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const seen = /^\d{1,6}$/.test(form.text('seen')) ? Number(form.text('seen')) : null;
  return submitDecision(
    () => scanForOrder(ctx, idOf(c), { text: form.secret('code'), seen }),
    (error) => {
      const message = scanRefusal(c, error);
      return message === null ? null : respondOrder(c, { fieldErrors: { code: message } }, 409);
    },
    async (scanned) => {
      if (scanned.did === 'packed') return redirectWithFlash(c, 'pack_packed', `${orderPath(idOf(c))}#code`);
      if (scanned.did === 'ready') return redirectWithFlash(c, 'order_moved', orderPath(idOf(c)));
      if (scanned.did === 'leaving') return c.redirect(`${orderPath(idOf(c))}/${scanned.by}`, 303);
      const { order, isUnfinished } = scanned;
      if (!isUnfinished) return c.redirect(labelledPath(order), 303);
      const own = await getOrder(ctx, idOf(c));
      return respondPage(
        c,
        <OtherLabelPage {...{ view: await viewOf(c, orderPath(own.id)), own, other: order }} />,
        409,
      );
    },
  );
}

/** Why a scan was refused, with what is still open; null for what is no matter of packing. */
function scanRefusal(c: ManageContext, error: AppError): string | null {
  const t = packingMessages(c.var);
  if (error instanceof PackExpired) return t.expired(formatDate(c.var.language, Date.parse(error.expires)));
  if (error instanceof NotPacked) {
    const { packed, packs, open } = error.progress;
    return t.notPacked(packed, packs, openText(c.var, open));
  }
  if (error instanceof WrongPack) {
    const open = openText(c.var, error.progress.open);
    return error.isTooMany ? t.tooMany(error.scanned, open) : t.wrongPack(error.scanned, error.orderNumber, open);
  }
  const said = fieldErrorsOf(c.var, { ...REFUSALS, ...SCAN_REFUSALS }, error);
  return said === null ? null : (Object.values(said)[0] ?? null);
}

const SCAN_REFUSALS = {
  unknown_code: 'code',
  pack_already_scanned: 'code',
  not_being_packed: 'code',
  changed_meanwhile: 'code',
} as const;
