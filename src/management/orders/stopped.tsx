import { type OrderDetail, WITHDRAWAL_HOLD } from '../../orders/service';
import { roleHolds } from '../../platform/access';
import { orderPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import { formatMoment } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { sharedMessages } from '../ui/messages';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';
import type { DetailProps, OrderState } from './order-props';

/** Why the order can be neither handed over nor shipped, and what ends that. */
export function Stopped({ view, detail, state }: DetailProps & { state: OrderState }) {
  const { order } = detail;
  return (
    <>
      {order.withdrawal === 'requested' && <Withdrawn view={view} detail={detail} state={state} />}
      {order.onHold && order.holdReason !== WITHDRAWAL_HOLD && <Held view={view} detail={detail} />}
      {order.originalMissing && !isOver(order) && <OriginalMissing view={view} detail={detail} />}
    </>
  );
}

const isOver = ({ status }: OrderDetail['order']) => status === 'cancelled' || status === 'returned';

/** Its platform withdrew it: staff cancel the order, or refuse with a reason. */
function Withdrawn({ view, detail, state }: DetailProps & { state: OrderState }) {
  const { order, history } = detail;
  const t = messages(view);
  const path = orderPath(order.id);
  const asked = history.find(({ fields }) => fields?.includes('withdrawal'));
  return (
    <Say tone="bad" mark="held" class="stopped">
      <p>
        <b>{sharedMessages(view).orders.fields.withdrawal}</b>{' '}
        {asked && t.by(order.source, formatMoment(view.language, asked.at, view.now))}. {t.stopped}
      </p>
      <a class="button primary" href={`${path}/cancel`} data-decide>
        {t.steps.cancelled}
      </a>
      <Form view={view} action={`${path}/withdrawal`} isGuarded>
        <Field name="withdrawal_reason" label={t.whyRefused} form={state} data-note />
        <button type="submit">{t.refuseWithdrawal}</button>
      </Form>
    </Say>
  );
}

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
        {/[.!?]$/.test(order.holdReason ?? '') ? ' ' : '. '}
        {t.stopped}
      </p>
      {order.withdrawal !== 'requested' && (
        <Form view={view} action={`${orderPath(order.id)}/flags`}>
          <Hidden name="flag" value="on_hold" />
          <button class="primary" type="submit" name="value" value="off" data-decide>
            {t.turnOff.on_hold}
          </button>
        </Form>
      )}
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
