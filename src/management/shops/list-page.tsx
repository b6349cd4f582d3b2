import { SHOPS_MAX } from '../../tenants/limits';
import type { Shop } from '../../tenants/service';
import { SHOPS, shopPath } from '../http/paths';
import { ErrorSummary, Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

export interface NewShopState {
  name?: string;
  host?: string;
  deliveryServiceName?: string;
  fieldErrors?: FieldErrors;
}

/** The host that a shop's links use. */
export function linkHostOf(shop: Pick<Shop, 'hosts'>): string | undefined {
  return shop.hosts.find(({ status }) => status === 'active')?.host;
}

export function ShopsPage({ view, shops, state }: { view: View; shops: Shop[]; state: NewShopState }) {
  const t = messages(view);
  const isFull = shops.length >= SHOPS_MAX;
  return (
    <Page view={view} title={t.title}>
      <ErrorSummary view={view} fieldErrors={state.fieldErrors ?? {}} />
      <p class="quiet">{t.lead}</p>
      <p>{t.used(shops.length, SHOPS_MAX)}</p>
      <div class="two-columns">
        {shops.length === 0 ? <p>{t.empty}</p> : <ShopTable view={view} shops={shops} />}
        <aside>
          <section class="panel">
            <h2>{t.openTitle}</h2>
            {isFull ? <p id="name">{t.full(SHOPS_MAX)}</p> : <ShopForm view={view} state={state} />}
          </section>
        </aside>
      </div>
    </Page>
  );
}

function ShopTable({ view, shops }: { view: View; shops: Shop[] }) {
  const t = messages(view);
  return (
    <table class="cards">
      <TableHead columns={[t.name, t.hosts, t.delivery, t.status]} actions={t.actions} />
      <tbody>
        {shops.map((shop) => (
          <ShopRow view={view} shop={shop} />
        ))}
      </tbody>
    </table>
  );
}

function ShopRow({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  return (
    <tr>
      <td>
        <a href={shopPath(shop.id)}>
          <bdi>{shop.name}</bdi>
        </a>
      </td>
      <td data-label={t.hosts}>
        {shop.hosts.length === 0 && <span class="quiet">{t.noHost}</span>}
        {shop.hosts.map(({ host, status }) => (
          <div>
            <code>{host}</code> <HostChip view={view} status={status} />
          </div>
        ))}
      </td>
      <td data-label={t.delivery}>
        <bdi>{shop.deliveryServiceName}</bdi>
      </td>
      <td data-label={t.status}>
        <ShopChip view={view} shop={shop} />
      </td>
      <td class="actions">
        <a href={shopPath(shop.id)}>
          {t.edit}
          <span class="unseen">: {shop.name}</span>
        </a>
      </td>
    </tr>
  );
}

export function HostChip({ view, status }: { view: View; status: 'active' | 'pending' }) {
  return <Chip tone={status === 'active' ? 'good' : 'wait'}>{messages(view)[status]}</Chip>;
}

export function ShopChip({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  return shop.isActive ? <Chip tone="good">{t.active}</Chip> : <Chip tone="quiet">{t.inactive}</Chip>;
}

function ShopForm({ view, state }: { view: View; state: NewShopState }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { fieldErrors } = state;
  return (
    <Form view={view} action={SHOPS} once>
      <Field
        name="name"
        label={t.name}
        hint={t.nameHint}
        value={state.name}
        fieldErrors={fieldErrors}
        autocomplete="off"
      />
      <Field
        name="host"
        label={`${t.firstHost} (${shared.common.optional})`}
        hint={t.hostHint}
        value={state.host}
        fieldErrors={fieldErrors}
        autocomplete="off"
      />
      <Field
        name="deliveryServiceName"
        label={`${t.delivery} (${shared.common.optional})`}
        hint={t.deliveryNewHint}
        value={state.deliveryServiceName}
        fieldErrors={fieldErrors}
        autocomplete="off"
      />
      <button class="primary" type="submit">
        {t.open}
      </button>
    </Form>
  );
}
