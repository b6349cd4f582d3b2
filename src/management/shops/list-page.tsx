import type { ShopSettings } from '../../tenants/fields';
import { SHOPS_MAX } from '../../tenants/limits';
import { type HostStatus, isServed, type Shop } from '../../tenants/service';
import { SHOPS, shopPath } from '../http/paths';
import { Field, Form, type FormState, Submit } from '../ui/fields';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

export type ShopState = FormState<'host' | 'replyTo' | keyof ShopSettings>;

/** The host that a shop's links use. */
export function linkHostOf(shop: Pick<Shop, 'hosts'>): string | undefined {
  return shop.hosts.find(({ status }) => isServed(status))?.host;
}

export function ShopsPage({ view, shops, state }: { view: View; shops: Shop[]; state: ShopState }) {
  const t = messages(view);
  const isFull = shops.length >= SHOPS_MAX;
  return (
    <Page view={view} title={t.title} fieldErrors={state.fieldErrors} lead={t.used(shops.length, SHOPS_MAX)}>
      <p class="quiet">{t.lead}</p>
      <div class="two-columns">
        {shops.length === 0 ? <p>{t.empty}</p> : <ShopTable view={view} shops={shops} />}
        <aside>
          <Panel title={t.openTitle}>
            {isFull ? <p id="name">{t.full(SHOPS_MAX)}</p> : <ShopForm view={view} state={state} />}
          </Panel>
        </aside>
      </div>
    </Page>
  );
}

function ShopTable({ view, shops }: { view: View; shops: Shop[] }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <Table
      rows={shops}
      columns={[
        {
          label: common.name,
          kind: 'name',
          cell: ({ id, name }) => (
            <a class="go" href={shopPath(id)}>
              <bdi>{name}</bdi>
            </a>
          ),
        },
        { label: t.hosts, cell: ({ hosts }) => <Hosts view={view} hosts={hosts} /> },
        { label: t.delivery, cell: ({ deliveryServiceName }) => <bdi>{deliveryServiceName}</bdi> },
        { label: common.status, cell: (shop) => <ShopChip view={view} shop={shop} /> },
      ]}
    />
  );
}

function Hosts({ view, hosts }: { view: View; hosts: Shop['hosts'] }) {
  if (hosts.length === 0) return <span class="quiet">{messages(view).noHost}</span>;
  return hosts.map(({ host, status }) => (
    <div>
      <code>{host}</code> {status !== 'active' && <HostChip view={view} status={status} />}
    </div>
  ));
}

export function HostChip({ view, status }: { view: View; status: HostStatus }) {
  if (status === 'active') return <Chip tone="good">{sharedMessages(view).common.active}</Chip>;
  const tone = status === 'failed' || status === 'moved' ? 'bad' : 'wait';
  return <Chip tone={tone}>{messages(view)[status]}</Chip>;
}

export function ShopChip({ view, shop }: { view: View; shop: Shop }) {
  if (!shop.isActive) return <Chip tone="off">{messages(view).inactive}</Chip>;
  return <Chip tone="good">{sharedMessages(view).common.active}</Chip>;
}

function ShopForm({ view, state }: { view: View; state: ShopState }) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  return (
    <Form view={view} action={SHOPS} once>
      <Field name="name" label={common.name} hint={t.nameHint} form={state} />
      <Field name="host" label={common.optional(t.firstHost)} hint={t.hostHint} form={state} />
      <Field name="deliveryServiceName" label={common.optional(t.delivery)} hint={t.deliveryNewHint} form={state} />
      <Submit>{t.open}</Submit>
    </Form>
  );
}
