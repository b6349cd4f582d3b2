import { Hono } from 'hono';
import { BAGS_MAX, NOTE_MAX, SHELF_MAX } from '../../orders/limits';
import {
  addOrderNote,
  getOrder,
  getOrderDetail,
  type OrderDetail,
  packByHand,
  scanForOrder,
  shelveOrder,
  unpackLine,
} from '../../orders/service';
import type { Markup } from '../../platform/markup/markup';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { idOf, labelledPath, orderPath } from '../http/paths';
import { submitDecision } from '../ui/decision';
import { type FieldErrors, hasFieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, type View, viewOf } from '../ui/view';
import { LabelPage } from './label-page';
import { messages } from './messages';
import { OtherLabelPage } from './other-label-page';
import { packingMessages } from './packing-messages';
import { decideOrder, respondOrder } from './responses';
import { scanRefusal } from './scan-refusal';
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
  .post(
    '/:id/note',
    once(
      (c) => orderPath(idOf(c)),
      (c) => {
        const { note } = c.var.form.texts('note');
        const { common, fieldErrors } = sharedMessages(c.var);
        const fault = note === '' ? common.required(messages(c.var).noteForTeam) : fieldErrors.note_too_long;
        if (note === '' || note.length > NOTE_MAX) return respondOrder(c, { note, fieldErrors: { note: fault } });
        return decideOrder(c, () => addOrderNote(c.var.ctx, { id: idOf(c), text: note }), 'note_saved');
      },
    ),
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
      const refused = scanRefusal(c.var, error);
      return refused && respondOrder(c, { refused });
    },
    async (scanned) => {
      if (scanned.did === 'packed') {
        // The field for the next scan; once all is packed, keys lead on.
        return redirectWithFlash(c, 'pack_packed', `${orderPath(idOf(c))}${scanned.isLast ? '' : '#code'}`);
      }
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
