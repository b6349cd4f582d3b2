import type { OrderDetail } from '../../orders/service';
import { roleHolds } from '../../platform/access';
import { orderPath } from '../http/paths';
import { Form } from '../ui/fields';
import { formatMoment } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps } from './order-props';

/** Why the order can be neither handed over nor shipped, and what ends that. */
export function Stopped({ view, detail }: DetailProps) {
  const { order } = detail;
  return (
    <>
      {order.onHold && <Held view={view} detail={detail} />}
      {order.originalMissing && !isOver(order) && <OriginalMissing view={view} detail={detail} />}
    </>
  );
}

const isOver = ({ status }: OrderDetail['order']) => status === 'cancelled' || status === 'returned';

function Held({ view, detail }: DetailProps) {
  const { order } = detail;
  const t = messages(view);
  const by = doneBy({ view, detail }, ({ fields }) => fields?.includes('on_hold') ?? false);
  return (
    <Say tone="wait" mark="held" class="stopped">
      <p>
        <b>{sharedMessages(view).orders.fields.on_hold}</b>
        {by && ` ${by}`}
        {order.holdReason && (
          <>
            : <q>{order.holdReason}</q>
          </>
        )}
        . {t.stopped}
      </p>
      <Form view={view} action={`${orderPath(order.id)}/flags`}>
        <input type="hidden" name="flag" value="on_hold" />
        <button class="primary" type="submit" name="value" value="off" data-decide>
          {t.turnOff.on_hold}
        </button>
      </Form>
    </Say>
  );
}

function OriginalMissing({ view, detail }: DetailProps) {
  const { order } = detail;
  const t = messages(view);
  const by = doneBy({ view, detail }, ({ action }) => action === 'order_request.approved');
  return (
    <Say tone="wait" mark="look" class="stopped">
      <p>
        <b>{t.waitsForOriginal}</b> {by && t.toFollow(by)} {t.nothingLeaves} {!mayCheck(view) && t.whoConfirms}
      </p>
      {mayCheck(view) && (
        <a class={order.onHold ? 'button' : 'button primary'} href={`${orderPath(order.id)}/original`} data-decide>
          {t.originalIsHere}
        </a>
      )}
    </Say>
  );
}

function mayCheck({ session }: View): boolean {
  return session !== undefined && roleHolds(session.role, 'prescriptions.write');
}

/** `von Kim Öztürk, 10:12`, of the newest such act. */
function doneBy(
  { view, detail }: DetailProps,
  isMeant: (act: OrderDetail['history'][number]) => boolean,
): string | null {
  const act = detail.history.find(isMeant);
  const name = act?.actorId && detail.names.get(act.actorId);
  return act && name ? messages(view).by(name, formatMoment(view.language, act.at, view.now)) : null;
}
