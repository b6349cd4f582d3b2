import { inHouseOf, type Order, packedOf, supplyKey, supplyOf } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Form, Labeled } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { nextDelivery } from '../ui/format';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { supplyMessages } from './supply-messages';

export interface SupplyProps {
  view: View;
  order: Order;
  place: number;
  typed: Partial<Record<'later' | 'expected_on' | 'arrived', string>>;
  fieldErrors?: FieldErrors;
}

/** How many packs of a line are not packed yet. */
export function splittableOf(order: Order, place: number): number {
  const { scanned, byHand } = packedOf(order, place);
  return inHouseOf(order, place) - scanned - byHand;
}

/** What of one line comes later: how many, on which day; and what has come, where some are owed. */
export function SupplyPage({ view, order, place, typed, fieldErrors = {} }: SupplyProps) {
  const t = supplyMessages(view);
  const line = order.items[place];
  if (!line) return null;
  const path = orderPath(order.id);
  const { owed } = supplyOf(order, place);
  return (
    <Page
      view={view}
      title={t.splitTitle(order.number)}
      heading={t.split}
      lead={
        <>
          {`${sharedMessages(view).orders.id} ${order.number} · `}
          <bdi>{customerOf(view, order)}</bdi>
        </>
      }
      fieldErrors={fieldErrors}
      back={{ path, label: t.toOrder }}
      isDialog
    >
      <h2>{line.productName ?? line.name}</h2>
      {owed > 0 && <Owed {...{ view, order, place, typed, fieldErrors }} />}
      <Split {...{ view, order, place, typed, fieldErrors }} />
    </Page>
  );
}

function Split({ view, order, place, typed, fieldErrors = {} }: SupplyProps) {
  const t = supplyMessages(view);
  const open = splittableOf(order, place);
  if (open === 0) {
    return supplyOf(order, place).owed > 0 ? null : <Say tone="wait">{t.nothingToSplit}</Say>;
  }
  return (
    <Form view={view} action={`${orderPath(order.id)}/later`} isGuarded>
      <Hidden name="line" value={supplyKey(order, place)} />
      <p class="hint">
        {t.splitLead} {t.ofOpen(t.packs(open))}
      </p>
      <CountField name="later" label={t.howMany} value={typed.later ?? String(open)} error={fieldErrors.later} />
      <DayField view={view} value={typed.expected_on ?? nextDelivery(view.now)} error={fieldErrors.expected_on} />
      <div class="ends">
        <a class="button" href={orderPath(order.id)}>
          {sharedMessages(view).common.cancel}
        </a>
        <button class="primary" type="submit" name="act" value="split" data-decide>
          {t.splitNow}
        </button>
      </div>
    </Form>
  );
}

/** What is owed already: it has come, or comes on another day. */
function Owed({ view, order, place, typed, fieldErrors = {} }: SupplyProps) {
  const t = supplyMessages(view);
  const { owed, expectedOn } = supplyOf(order, place);
  return (
    <Form view={view} action={`${orderPath(order.id)}/later`} isGuarded>
      <Hidden name="line" value={supplyKey(order, place)} />
      <p>
        <b>
          {t.stillToCome}: {t.packs(owed)}
        </b>
      </p>
      <div class="owed">
        <CountField
          name="arrived"
          label={t.howManyCame}
          value={typed.arrived ?? String(owed)}
          error={fieldErrors.arrived}
        />
        <button class="primary" type="submit" name="act" value="arrived">
          {t.hasCome}
        </button>
        <DayField view={view} value={typed.expected_on ?? expectedOn ?? ''} error={fieldErrors.expected_on} />
        <button type="submit" name="act" value="day">
          {t.changeDay}
        </button>
      </div>
    </Form>
  );
}

function CountField({ name, label, value, error }: { name: string; label: string; value: string; error?: string }) {
  return (
    <Labeled
      {...{ name, label, error }}
      control={(attributes) => <input {...attributes} value={value} inputmode="numeric" autocomplete="off" size={4} />}
    />
  );
}

function DayField({ view, value, error }: { view: View; value: string; error?: string }) {
  return (
    <Labeled
      name="expected_on"
      label={supplyMessages(view).expectedOn}
      error={error}
      control={(attributes) => <input {...attributes} type="date" value={value} />}
    />
  );
}
