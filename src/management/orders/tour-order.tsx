import type { Order } from '../../orders/service';
import { TOUR, withQuery } from '../http/paths';
import { Form, Submit } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { tourMessages } from './tour-messages';

/** Postal code and town; empty without an address. */
export const areaOf = ({ addressPostalCode, addressCity }: Order) =>
  [addressPostalCode, addressCity].filter(Boolean).join(' ');

/** The stops of the tour, to be numbered anew. */
export function TourOrder({ view, stops, shopId }: { view: View; stops: readonly Order[]; shopId?: string }) {
  const { common } = sharedMessages(view);
  const t = tourMessages(view);
  return (
    <Panel title={t.arrange} isWide>
      <p class="hint">{t.arrangeHint}</p>
      <Form view={view} action={TOUR} class="arrange">
        {shopId && <Hidden name="shop" value={shopId} />}
        <ol>
          {stops.map((order, place) => (
            <li>
              <input
                name={`place-${order.id}`}
                value={String((place + 1) * 10)}
                inputmode="numeric"
                maxlength={4}
                aria-label={t.place(customerOf(view, order))}
                autocomplete="off"
              />
              <span>
                <b>
                  <bdi>{customerOf(view, order)}</bdi>
                </b>{' '}
                <bdi class="quiet">{[order.addressStreet, areaOf(order)].filter(Boolean).join(', ')}</bdi>
              </span>
            </li>
          ))}
        </ol>
        <div class="acts">
          <Submit>{common.save}</Submit>
          <button type="submit" name="by" value="address">
            {t.byAddress}
          </button>
          <a class="button" href={withQuery(TOUR, { shop: shopId })}>
            {common.cancel}
          </a>
        </div>
      </Form>
    </Panel>
  );
}
