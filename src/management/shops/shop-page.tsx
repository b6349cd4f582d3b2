import type { MessageSettings } from '../../messages/fields';
import { HOSTS_MAX } from '../../tenants/limits';
import type { Shop } from '../../tenants/service';
import { SHOPS, shopPath } from '../http/paths';
import { Field, Form, Submit } from '../ui/fields';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { type Dns, HostPanel } from './host-panel';
import { HostChip, linkHostOf, ShopChip, type ShopState } from './list-page';
import { MessageSettingsPanel } from './message-form';
import { messages } from './messages';

interface ShopProps {
  view: View;
  shop: Shop;
  /** Null where no e-mails are sent. */
  settings: MessageSettings | null;
  state: ShopState;
  dns: Dns;
}

export function ShopPage({ view, shop, settings, state, dns }: ShopProps) {
  const t = messages(view);
  return (
    <Page
      view={view}
      title={shop.name}
      fieldErrors={state.fieldErrors}
      back={{ path: SHOPS, label: sharedMessages(view).common.allShops }}
    >
      <div class="two-columns">
        <div>
          <Panel title={t.hosts}>
            {shop.hosts.length === 0 ? <p>{t.noHost}</p> : <HostTable view={view} shop={shop} />}
          </Panel>
          {shop.hosts
            .filter(({ status }) => status !== 'active')
            .map((host, index) => (
              <HostPanel {...{ view, shop, host, dns, index }} />
            ))}
          <Panel title={t.addTitle}>
            <HostForm view={view} shop={shop} state={state} />
          </Panel>
          <Panel title={t.details}>
            <DetailsForm view={view} shop={shop} state={state} />
          </Panel>
        </div>
        <aside>
          <Panel title={sharedMessages(view).nav.orderRequests}>
            <IntakeSwitch view={view} shop={shop} />
          </Panel>
          {settings && <MessageSettingsPanel view={view} shopId={shop.id} settings={settings} state={state} />}
        </aside>
      </div>
    </Page>
  );
}

function HostTable({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const linkHost = linkHostOf(shop);
  return (
    <Table
      class="lines"
      rows={shop.hosts}
      columns={[
        {
          label: t.host,
          kind: 'name',
          cell: ({ host }) => (
            <>
              <code>{host}</code>
              {host === linkHost && <small>{t.linkHost}</small>}
            </>
          ),
        },
        { label: common.status, cell: ({ status }) => <HostChip view={view} status={status} /> },
        {
          label: common.actions,
          kind: 'actions',
          cell: ({ host }) => <a href={`${shopPath(shop.id)}/hosts/${host}/remove`}>{labelFor(t.remove, host)}</a>,
        },
      ]}
    />
  );
}

function HostForm({ view, shop, state }: Omit<ShopProps, 'dns' | 'settings'>) {
  const t = messages(view);
  if (shop.hosts.length >= HOSTS_MAX) return <p id="host">{t.hostsFull(HOSTS_MAX)}</p>;
  return (
    <Form view={view} action={`${shopPath(shop.id)}/hosts`}>
      <Field name="host" label={t.host} hint={t.hostHint} form={state} />
      <Submit>{t.add}</Submit>
    </Form>
  );
}

function IntakeSwitch({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  return (
    <>
      <p>
        <ShopChip view={view} shop={shop} />
        <small>{shop.isActive ? t.intakeOn : t.intakeOff}</small>
      </p>
      {shop.isActive ? (
        <p>
          <a class="button" href={`${shopPath(shop.id)}/deactivate`}>
            {t.deactivate}
          </a>
        </p>
      ) : (
        <Form view={view} action={`${shopPath(shop.id)}/activate`}>
          <button type="submit">{t.activate}</button>
        </Form>
      )}
    </>
  );
}

function DetailsForm({ view, shop, state }: Omit<ShopProps, 'dns' | 'settings'>) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  const form = { ...savedOf(shop), ...state };
  return (
    <Form view={view} action={shopPath(shop.id)}>
      <Hidden name="seenAt" value={String(shop.updatedAt)} />
      <Field name="name" label={common.name} form={form} />
      <p class="hint">{t.placeHint}</p>
      <Field name="street" label={common.optional(t.street)} form={form} />
      <div class="town">
        <Field name="postalCode" label={common.optional(t.postalCode)} form={form} />
        <Field name="city" label={common.optional(t.city)} form={form} />
      </div>
      <Field name="phone" label={common.optional(t.phone)} hint={t.phoneHint} form={form} />
      <Field name="openingHours" label={common.optional(t.openingHours)} hint={t.openingHoursHint} form={form} />
      <Field name="deliveryServiceName" label={t.delivery} hint={t.deliveryHint} form={form} />
      <button type="submit">{common.save}</button>
    </Form>
  );
}

/** What the form shows before anybody typed. */
function savedOf(shop: Shop) {
  const { name, deliveryServiceName, street, postalCode, city, phone, openingHours } = shop;
  return {
    ...{ name, deliveryServiceName, street: street ?? '', postalCode: postalCode ?? '', city: city ?? '' },
    ...{ phone: phone ?? '', openingHours: openingHours ?? '' },
  };
}
