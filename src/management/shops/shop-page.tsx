import { HOSTS_MAX } from '../../tenants/limits';
import type { Shop } from '../../tenants/service';
import { SHOPS, shopPath } from '../http/paths';
import { ToCopy } from '../ui/copy-field';
import { Field, Form, Submit } from '../ui/fields';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { HostChip, linkHostOf, ShopChip, type ShopState } from './list-page';
import { messages } from './messages';

interface ShopProps {
  view: View;
  shop: Shop;
  state: ShopState;
  /** The DNS name that the hosts of shops have to point to. */
  shopCnameTarget: string;
}

export function ShopPage({ view, shop, state, shopCnameTarget }: ShopProps) {
  const t = messages(view);
  const pending = shop.hosts.filter(({ status }) => status === 'pending');
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
          {pending.map(({ host }, index) => (
            <PendingHost view={view} host={host} target={shopCnameTarget} id={`target-${index}`} />
          ))}
          <Panel title={t.addTitle}>
            <HostForm view={view} shop={shop} state={state} />
          </Panel>
        </div>
        <aside>
          <Panel title={sharedMessages(view).nav.orderRequests}>
            <IntakeSwitch view={view} shop={shop} />
          </Panel>
          <Panel title={t.details}>
            <DetailsForm view={view} shop={shop} state={state} />
          </Panel>
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

interface PendingProps {
  view: View;
  host: string;
  target: string;
  id: string;
}

/** The DNS record that the owner has to set for a pending host, and who does the next step. */
function PendingHost({ view, host, target, id }: PendingProps) {
  const t = messages(view);
  // Two labels are probably a registered domain, where no CNAME is allowed beside SOA and NS (RFC 1034 §3.6.2).
  const isApex = host.split('.').length === 2;
  return (
    <Panel title={t.waiting(host)}>
      <p>{t.dnsLead}</p>
      <Facts
        entries={[
          [t.dnsType, 'CNAME'],
          [
            sharedMessages(view).common.name,
            <>
              <code>{host}</code>
              <small>{t.dnsNameHint}</small>
            </>,
          ],
        ]}
      />
      <ToCopy view={view} id={id} label={t.dnsTarget} of={host} value={target} />
      {isApex && (
        <p>
          {t.apex} <code>rx.{host}</code>
        </p>
      )}
      <p>{t.dnsProxy}</p>
      <p>{t.next}</p>
    </Panel>
  );
}

function HostForm({ view, shop, state }: Omit<ShopProps, 'shopCnameTarget'>) {
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

function DetailsForm({ view, shop, state }: Omit<ShopProps, 'shopCnameTarget'>) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  const { name, deliveryServiceName } = shop;
  const form = { name, deliveryServiceName, ...state };
  return (
    <Form view={view} action={shopPath(shop.id)}>
      <input type="hidden" name="seenAt" value={String(shop.updatedAt)} />
      <Field name="name" label={common.name} form={form} />
      <Field name="deliveryServiceName" label={t.delivery} hint={t.deliveryHint} form={form} />
      <button type="submit">{common.save}</button>
    </Form>
  );
}
