import { SHOPS_MAX } from '../../tenants/limits';
import type { Shop } from '../../tenants/service';
import { SHOPS, shopPath } from '../http/paths';
import { FaultSummary, Field, Form } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { Chip, Page } from '../ui/layout';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';

export interface NewShopState {
  name?: string;
  host?: string;
  deliveryServiceName?: string;
  faults?: Faults;
}

/** The host that stands in a shop's links. */
export function linkHostOf(shop: Pick<Shop, 'hosts'>): string | undefined {
  return shop.hosts.find(({ status }) => status === 'active')?.host;
}

export function ShopsPage({ view, shops, state }: { view: View; shops: Shop[]; state: NewShopState }) {
  const words = view.words.shops;
  const isFull = shops.length >= SHOPS_MAX;
  return (
    <Page view={view} title={words.title}>
      <FaultSummary view={view} faults={state.faults ?? {}} />
      <p class="quiet">{words.lead}</p>
      <p>{words.used(shops.length, SHOPS_MAX)}</p>
      <div class="two-columns">
        {shops.length === 0 ? <p>{words.empty}</p> : <ShopTable view={view} shops={shops} />}
        <aside>
          <section class="panel">
            <h2>{words.openTitle}</h2>
            {isFull ? <p id="name">{words.full(SHOPS_MAX)}</p> : <ShopForm view={view} state={state} />}
          </section>
        </aside>
      </div>
    </Page>
  );
}

function ShopTable({ view, shops }: { view: View; shops: Shop[] }) {
  const words = view.words.shops;
  return (
    <table class="cards">
      <Heads columns={[words.name, words.hosts, words.delivery, words.status]} actions={words.actions} />
      <tbody>
        {shops.map((shop) => (
          <ShopRow view={view} shop={shop} />
        ))}
      </tbody>
    </table>
  );
}

function ShopRow({ view, shop }: { view: View; shop: Shop }) {
  const words = view.words.shops;
  return (
    <tr>
      <td>
        <a href={shopPath(shop.id)}>
          <bdi>{shop.name}</bdi>
        </a>
      </td>
      <td data-label={words.hosts}>
        {shop.hosts.length === 0 && <span class="quiet">{words.noHost}</span>}
        {shop.hosts.map(({ host, status }) => (
          <div>
            <code>{host}</code> <HostChip view={view} status={status} />
          </div>
        ))}
      </td>
      <td data-label={words.delivery}>
        <bdi>{shop.deliveryServiceName}</bdi>
      </td>
      <td data-label={words.status}>
        <ShopChip view={view} shop={shop} />
      </td>
      <td class="actions">
        <a href={shopPath(shop.id)}>
          {words.edit}
          <span class="unseen">: {shop.name}</span>
        </a>
      </td>
    </tr>
  );
}

export function HostChip({ view, status }: { view: View; status: 'active' | 'pending' }) {
  return <Chip tone={status === 'active' ? 'good' : 'wait'}>{view.words.shops[status]}</Chip>;
}

export function ShopChip({ view, shop }: { view: View; shop: Shop }) {
  const words = view.words.shops;
  return shop.isActive ? <Chip tone="good">{words.active}</Chip> : <Chip tone="quiet">{words.inactive}</Chip>;
}

function ShopForm({ view, state }: { view: View; state: NewShopState }) {
  const { shops: words, common } = view.words;
  const { faults } = state;
  return (
    <Form view={view} action={SHOPS} once>
      <Field
        name="name"
        label={words.name}
        hint={words.nameHint}
        value={state.name}
        faults={faults}
        autocomplete="off"
      />
      <Field
        name="host"
        label={`${words.firstHost} (${common.optional})`}
        hint={words.hostHint}
        value={state.host}
        faults={faults}
        autocomplete="off"
      />
      <Field
        name="deliveryServiceName"
        label={`${words.delivery} (${common.optional})`}
        hint={words.deliveryNewHint}
        value={state.deliveryServiceName}
        faults={faults}
        autocomplete="off"
      />
      <button class="primary" type="submit">
        {words.open}
      </button>
    </Form>
  );
}
