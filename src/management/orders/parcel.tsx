import { inHouseOf, isPickup, type LeavingOrder, type Order, progressOf, supplyOf } from '../../orders/service';
import { birthDateOf } from '../ui/birth-date';
import { dayText } from '../ui/format';
import { Icon } from '../ui/icons';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { OpenQuestions, PersonWords, shownDetails } from '../ui/platform-details';
import type { View } from '../ui/view';
import { PlatformDetails } from './customer-panel';
import { leavingMessages } from './leaving-messages';
import { packingMessages } from './packing-messages';
import { supplyMessages } from './supply-messages';

interface Props {
  view: View;
  leaving: LeavingOrder;
}

/** The person that it is for, and where it waits. The focus begins at the name, unless something has to be said first. */
export function Recipient({
  view,
  order,
  lead,
  isFocused,
}: {
  view: View;
  order: Order;
  lead: string;
  isFocused: boolean;
}) {
  const t = leavingMessages(view);
  const born = birthDateOf(view, order.platformDetails);
  const town = [order.addressPostalCode, order.addressCity].filter(Boolean).join(' ');
  const address = [order.addressStreet, town].filter(Boolean).join(', ');
  return (
    <div class="recipient">
      <div>
        <h1 tabindex={-1} data-focus={isFocused}>
          <small>{lead}</small> <bdi>{customerOf(view, order)}</bdi>
        </h1>
        <p>
          {born !== null && (
            <>
              {t.born}{' '}
              <b>
                <bdi>{born.text}</bdi>
              </b>
            </>
          )}
          {born !== null && address !== '' && ' · '}
          <bdi>{address}</bdi>
          {born === null && address === '' && t.unknownPerson}
        </p>
      </div>
      <Place view={view} order={order} />
    </div>
  );
}

/** Shelf and bags, where there is something to say of them. */
function Place({ view, order }: { view: View; order: Order }) {
  const packing = packingMessages(view);
  const { bags } = order;
  if (!order.shelf && (bags ?? 1) === 1) return null;
  return (
    <p class="place">
      {order.shelf && (
        <>
          <small>{packing.shelf}</small>
          <b>
            <bdi>{order.shelf}</bdi>
          </b>
        </>
      )}
      <small>{packing.bagCount(bags ?? 1)}</small>
    </p>
  );
}

/** Each pack under the name that leaves the shop. */
export function Packs({ view, order }: { view: View; order: Order }) {
  const { orders } = sharedMessages(view);
  return (
    <ul class="parcel" aria-label={packingMessages(view).packCount(progressOf(order).packs)}>
      {order.items.map(({ name, productName, prescriptionRequired }, place) => (
        <li class={inHouseOf(order, place) === 0 ? 'quiet' : undefined}>
          <b>{inHouseOf(order, place)} ×</b>
          <span>
            <bdi>{productName ?? name}</bdi>
            {prescriptionRequired && (
              <>
                {' '}
                <abbr class="rx" title={orders.prescriptionRequired}>
                  Rx
                </abbr>
              </>
            )}
            <ComesLater view={view} order={order} place={place} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What of a line is not handed over now. */
function ComesLater({ view, order, place }: { view: View; order: Order; place: number }) {
  const t = supplyMessages(view);
  const { owed, expectedOn, supplied } = supplyOf(order, place);
  if (owed === 0 && supplied === 0) return null;
  const later = expectedOn && t.comesOn(owed, dayText(view.language, expectedOn));
  return (
    <small>
      {[
        supplied > 0 && t.leftBefore(supplied),
        later && `${later}: ${isPickup(order.shippingOption) ? t.giveSlip : t.ships}`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </small>
  );
}

/** So many of the platform's details are shown at once. */
const DETAILS_OPEN_MAX = 6;

/** What people and platforms said about the order, and what nobody has answered. */
export function Words({ view, leaving: { order, questions } }: Props) {
  // The date of birth stands beside the name.
  const born = birthDateOf(view, order.platformDetails);
  const details = shownDetails(view, order.platformDetails).filter(([name]) => name !== born?.name);
  return (
    <>
      <PersonWords view={view} note={order.note} details={order.platformDetails} />
      <OpenQuestions view={view} questions={questions} />
      <PlatformDetails view={view} details={details} isOpen={details.length <= DETAILS_OPEN_MAX} />
    </>
  );
}

/** What nobody may forget at the counter. */
export function Counsel({ view }: { view: View }) {
  return (
    <p class="with">
      <Icon name="info" />
      {leavingMessages(view).counsel}
    </p>
  );
}
