import type { MessageSettings } from '../../messages/fields';
import type { ShopSettings } from '../../tenants/fields';
import { HOSTS_MAX, RESERVE_MINUTES_MAX, SHOPS_MAX } from '../../tenants/limits';
import { FEE_KEYS, type FeeKey, townOf } from '../../tenants/rules';
import { SHIPPING_KINDS } from '../../tenants/shipping';
import type { Shop } from '../../tenants/shops';
import { type HostStatus, isServed } from '../../tenants/store';
import { SHOPS, shopPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import {
  Checkbox,
  controlOf,
  Fault,
  Field,
  Form,
  FormButton,
  type FormState,
  Hidden,
  numberOptions,
  Options,
  Select,
  Submit,
  ToCopy,
} from '../ui/fields';
import { formatMoment, priceText } from '../ui/format';
import { Chip, Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { shippingWord } from '../ui/order-summary';
import { ButtonLink, labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { useView, type View } from '../ui/view';
import { messages } from './messages';

/** The fields of a shop's own page. */
export type ShopField =
  | keyof ShopSettings
  | FeeKey
  | 'feeMaxCents'
  | 'expressKind'
  | 'deliveryServiceKind'
  | `aliases-${FeeKey}`
  | (typeof MINUTES)[number]
  | 'replyTo'
  | 'isSending';

/** Times to choose from, in minutes. */
const RESERVED_FOR = [0, 15, 30, 120, 240, 720, 2880, 4320, RESERVE_MINUTES_MAX];

export type ShopState = FormState<ShopField | 'host'>;

/** The names of the fields that say for how many minutes a request reserves stock. */
export const MINUTES = ['reservePendingMinutes', 'reservePaidMinutes'] as const;

/** The host of a shop's links: the shop's first host that is served. Undefined if no host is served. */
function linkHostOf(shop: Pick<Shop, 'hosts'>): string | undefined {
  return shop.hosts.find(({ status }) => isServed(status))?.host;
}

export function ShopsPage({ shops, state }: { shops: Shop[]; state: ShopState }) {
  const [t, { nav }] = [messages(), sharedMessages()];
  const isFull = shops.length >= SHOPS_MAX;
  return (
    <Page title={nav.shops} fieldErrors={state.fieldErrors} acts={<ButtonLink path="#open" label={t.openTitle} />}>
      <p class="quiet">{t.lead}</p>
      {shops.length === 0 ? <p>{t.empty}</p> : <ShopTable shops={shops} />}
      <Panel title={t.openTitle} id="open" isWide>
        {isFull ? <p id="name">{t.full(SHOPS_MAX)}</p> : <ShopForm state={state} />}
      </Panel>
    </Page>
  );
}

function ShopTable({ shops }: { shops: Shop[] }) {
  const { common } = sharedMessages();
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
        { label: messages().hosts, cell: ({ hosts }) => <Hosts hosts={hosts} /> },
        { label: sharedMessages().orders.address, cell: (shop) => <Place shop={shop} /> },
        {
          label: common.status,
          cell: ({ isActive }) => (
            <Chip tone={isActive ? 'good' : 'off'}>{isActive ? common.active : messages().inactive}</Chip>
          ),
        },
      ]}
    />
  );
}

function Hosts({ hosts }: { hosts: Shop['hosts'] }) {
  if (hosts.length === 0) return <span class="quiet">{messages().noHost}</span>;
  return hosts.map(({ host, status }) => (
    <div>
      <code>{host}</code> {status !== 'active' && <HostChip status={status} />}
    </div>
  ));
}

/** The address of a shop in one line; a chip if it has none. */
function Place({ shop }: { shop: Shop }) {
  const place = [shop.street, townOf(shop)].filter(Boolean).join(', ');
  return place ? <bdi>{place}</bdi> : <Chip tone="wait">{messages().noPlace}</Chip>;
}

function HostChip({ status }: { status: HostStatus }) {
  if (status === 'active') return <Chip tone="good">{sharedMessages().common.active}</Chip>;
  const tone = status === 'failed' || status === 'moved' ? 'bad' : 'wait';
  return <Chip tone={tone}>{messages()[status]}</Chip>;
}

function ShopForm({ state }: { state: ShopState }) {
  const { common } = sharedMessages();
  const t = messages();
  return (
    <Form action={SHOPS} once>
      <Field name="name" label={common.name} hint={t.nameHint} form={state} />
      <Field name="host" label={common.optional(t.firstHost)} hint={t.hostHint} form={state} />
      <Field name="deliveryServiceName" label={common.optional(t.delivery)} hint={t.deliveryNewHint} form={state} />
      <Submit>{t.open}</Submit>
    </Form>
  );
}

export function DeactivatePage({ shop }: { shop: Shop }) {
  const t = messages();
  return (
    <ConfirmPage
      title={t.deactivateTitle(shop.name)}
      lead={t.deactivateLead}
      action={`${shopPath(shop.id)}/deactivate`}
      act={t.deactivate}
      back={shopPath(shop.id)}
    />
  );
}

interface RemoveProps {
  shop: Shop;
  host: Shop['hosts'][number];
  /** The reason why the removal was refused. */
  fault?: string;
}

export function RemoveHostPage({ shop, host: { host, status }, fault }: RemoveProps) {
  const t = messages();
  const others = shop.hosts.filter((other) => other.host !== host);
  const nextHost = linkHostOf({ hosts: others });
  const isActive = isServed(status);
  // The last active host of an active shop cannot be removed.
  if (isActive && shop.isActive && !nextHost) {
    return (
      <Page title={t.removeTitle(host)} isDialog>
        <p class={fault && 'fault'}>{[fault, t.isLast].filter(Boolean).join(' ')}</p>
        <ButtonLink path={shopPath(shop.id)} label={sharedMessages().common.back} />
      </Page>
    );
  }
  return (
    <ConfirmPage
      title={t.removeTitle(host)}
      about={<bdi>{shop.name}</bdi>}
      fault={fault}
      lead={isActive ? [...t.removeActive, nextHost ? t.removeNext(nextHost) : t.removeLast] : t.removePending}
      action={`${shopPath(shop.id)}/hosts/${host}/remove`}
      act={t.remove}
      back={shopPath(shop.id)}
    >
      <Hidden name="status" value={isActive ? 'active' : 'pending'} />
    </ConfirmPage>
  );
}

interface ShopProps {
  shop: Shop;
  /** Null if the service sends no emails. */
  settings: MessageSettings | null;
  state: ShopState;
  dns: Dns;
}

export function ShopPage({ shop, settings, state, dns }: ShopProps) {
  const t = messages();
  const { common } = sharedMessages();
  const form = { ...savedOf(useView(), shop, settings), ...state };
  return (
    <Page
      title={shop.name}
      fieldErrors={state.fieldErrors}
      back={{ path: `${SHOPS}?all=1`, label: common.allShops }}
      lead={<Chip tone={shop.isActive ? 'good' : 'off'}>{shop.isActive ? t.intakeOn : t.intakeOff}</Chip>}
      acts={
        shop.isActive ? (
          <ButtonLink path={`${shopPath(shop.id)}/deactivate`} label={t.deactivate} />
        ) : (
          <FormButton action={`${shopPath(shop.id)}/activate`} label={t.activate} />
        )
      }
    >
      <Form action={shopPath(shop.id)}>
        <Hidden name="seenAt" value={String(shop.updatedAt)} />
        <Panel title={t.shipping} id="shipping">
          <ShippingFields form={form} />
        </Panel>
        <div class="halves">
          <Panel title={t.details}>
            <Details form={form} />
          </Panel>
          <div>
            <Panel title={t.reservation} id="reservation">
              <p class="hint">{t.reservationLead}</p>
              {MINUTES.map((name) => (
                <Select
                  name={name}
                  label={t[name]}
                  options={numberOptions([...RESERVED_FOR, shop[name], Number(form[name])], t.duration)}
                  value={form[name]}
                  fieldErrors={form.fieldErrors}
                />
              ))}
            </Panel>
            {settings && (
              <Panel title={t.messages} id="messages">
                <Checkbox
                  name="isSending"
                  label={t.sendEmails}
                  hint={t.sendEmailsHint}
                  isOn={form.isSending === 'on'}
                />
                <Field name="replyTo" label={common.optional(t.replyTo)} form={form} inputmode="email" />
              </Panel>
            )}
          </div>
        </div>
        <div class="acts save">
          <Submit>{common.save}</Submit>
        </div>
      </Form>
      <div class="halves">
        <Panel title={t.hosts}>
          {shop.hosts.length === 0 ? <p>{t.noHost}</p> : <HostTable shop={shop} />}
          {shop.hosts.length >= HOSTS_MAX ? (
            <p id="host">{t.hostsFull(HOSTS_MAX)}</p>
          ) : (
            <Form action={`${shopPath(shop.id)}/hosts`}>
              <Field name="host" label={t.addTitle} hint={t.hostHint} form={state} />
              <button type="submit">{t.add}</button>
            </Form>
          )}
        </Panel>
        {shop.hosts
          .filter(({ status }) => status !== 'active')
          .map((host, index) => (
            <HostPanel {...{ shop, host, dns, index }} />
          ))}
      </div>
    </Page>
  );
}

function HostTable({ shop }: { shop: Shop }) {
  const t = messages();
  const { common } = sharedMessages();
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
        { label: common.status, cell: ({ status }) => <HostChip status={status} /> },
        {
          label: common.actions,
          kind: 'actions',
          cell: ({ host }) => <a href={`${shopPath(shop.id)}/hosts/${host}/remove`}>{labelFor(t.remove, host)}</a>,
        },
      ]}
    />
  );
}

type FieldsProps = { form: FormState<ShopField> };

function Details({ form }: FieldsProps) {
  const { common } = sharedMessages();
  const t = messages();
  return (
    <>
      <p class="hint">{t.placeHint}</p>
      <Field name="name" label={common.name} form={form} />
      <Field name="street" label={common.optional(t.street)} form={form} />
      <div class="halves">
        <Field name="postalCode" label={common.optional(t.postalCode)} form={form} />
        <Field name="city" label={common.optional(t.city)} form={form} />
      </div>
      <Field name="phone" label={common.optional(t.phone)} hint={t.phoneHint} form={form} />
      <Field name="openingHours" label={common.optional(t.openingHours)} hint={t.openingHoursHint} form={form} />
    </>
  );
}

/**
 * The fields of each shipping option: its carrier, its fee, and other names that platforms use for it. A further field
 * limits the fee: if a platform's total exceeds the items by more than that amount, staff are asked why.
 */
function ShippingFields({ form }: FieldsProps) {
  const t = messages();
  const options = SHIPPING_KINDS.map((value) => ({ value, label: t.kinds[value] }));
  const kinds: Partial<Record<FeeKey, 'expressKind' | 'deliveryServiceKind'>> = {
    Express: 'expressKind',
    delivery: 'deliveryServiceKind',
  };
  const kindOf = (key: FeeKey) => {
    const name = kinds[key];
    if (!name) return <span class="quiet">–</span>;
    return (
      <select id={name} name={name} aria-label={`${t.kind} (${nameOf(key)})`}>
        <Options options={options} value={form[name]} />
      </select>
    );
  };
  const nameOf = (key: FeeKey) => (key === 'delivery' ? (form.deliveryServiceName ?? '') : key);
  return (
    <>
      <Table
        class="options"
        rows={FEE_KEYS}
        columns={[
          {
            label: t.option,
            kind: 'name',
            cell: (key) =>
              key === 'delivery' ? (
                <>
                  <b>{t.delivery}</b>
                  <Cell name="deliveryServiceName" label={t.delivery} form={form} />
                  <small>{t.deliveryHint}</small>
                </>
              ) : (
                <b>{shippingWord(useView(), key)}</b>
              ),
          },
          { label: t.kind, cell: kindOf },
          {
            label: t.fee,
            note: t.feeNote,
            cell: (key) => <Cell name={key} label={`${t.fee} (${nameOf(key)})`} form={form} inputmode="decimal" />,
          },
          {
            label: t.aliases,
            note: t.aliasesNote,
            cell: (key) => <Cell name={`aliases-${key}`} label={`${t.aliases} (${nameOf(key)})`} form={form} />,
          },
        ]}
      />
      <Field name="feeMaxCents" label={t.feeMax} hint={t.feeMaxHint} form={form} inputmode="decimal" data-amount />
    </>
  );
}

interface CellProps extends FieldsProps {
  name: ShopField;
  label: string;
  inputmode?: 'decimal';
}

/** A field in a table. The table's headings name it. */
function Cell({ name, label, form: { fieldErrors, ...values }, inputmode }: CellProps) {
  const fault = fieldErrors?.[name];
  return (
    <>
      <Fault name={name} text={fault} />
      <input
        {...controlOf(name, fault)}
        value={values[name]}
        aria-label={label}
        inputmode={inputmode}
        data-amount={inputmode && true}
        autocomplete="off"
      />
    </>
  );
}

/** The stored settings, as values of the form. */
function savedOf({ language }: View, shop: Shop, settings: MessageSettings | null): FormState<ShopField> {
  const shown = (cents: number | undefined) => (cents === undefined ? '' : priceText(cents, language));
  const { name, deliveryServiceName, street, postalCode, city, phone, openingHours, fees, shippingAliases } = shop;
  const aliasesOf = (key: FeeKey) => Object.keys(shippingAliases).filter((alias) => shippingAliases[alias] === key);
  return {
    ...{ name, deliveryServiceName, street: street ?? '', postalCode: postalCode ?? '', city: city ?? '' },
    ...{ phone: phone ?? '', openingHours: openingHours ?? '' },
    ...Object.fromEntries(FEE_KEYS.map((key) => [key, shown(fees[key])])),
    ...Object.fromEntries(FEE_KEYS.map((key) => [`aliases-${key}`, aliasesOf(key).join(', ')])),
    ...Object.fromEntries(MINUTES.map((key) => [key, String(shop[key])])),
    ...{ expressKind: shop.expressKind, deliveryServiceKind: shop.deliveryServiceKind },
    ...{
      feeMaxCents: shown(shop.feeMaxCents),
      replyTo: settings?.replyTo ?? '',
      isSending: settings?.isSending ? 'on' : '',
    },
  };
}

/** How the service handles the DNS of shops' hosts. */
interface Dns {
  /** The CNAME target for hosts. */
  target: string;
  /**
   * Whether the service itself looks up the DNS records of hosts. If not, the operator does. `isActivated`: whether the
   * service also activates a host once its records are found; if not, the operator does.
   */
  isChecked: boolean;
  isActivated: boolean;
}

interface PanelProps {
  shop: Shop;
  host: Shop['hosts'][number];
  dns: Dns;
  index: number;
}

/** The next steps for a host that is not active yet, or that no longer points to the service. */
function HostPanel(props: PanelProps) {
  const { host } = props;
  const t = messages();
  if (host.status === 'moved') {
    return (
      <Panel title={t.movedTitle(host.host)}>
        <p>{t.movedLead}</p>
        <ToCopy id={`target-${props.index}`} label={t.dnsTarget} of={host.host} value={props.dns.target} />
      </Panel>
    );
  }
  return (
    <Panel title={t.waiting(host.host)}>
      {host.failure && <p class="fault">{t.failures[host.failure]}</p>}
      {host.status === 'verifying' ? (
        <p>{props.dns.isActivated ? t.verifyingLead : t.verifyingByOperator}</p>
      ) : (
        <Records {...props} />
      )}
      {props.dns.isChecked && <CheckForm {...props} />}
    </Panel>
  );
}

/** The DNS records that the owner must set for a host. Says whether they were found, and who does the next step. */
function Records({ host: { host, txt, hasCname, hasTxt, checkedAt }, dns, index }: PanelProps) {
  const t = messages();
  // The host may be a registered domain (apotheke.co.at), where no CNAME is allowed beside SOA and NS (RFC 1034
  // §3.6.2).
  const isMaybeApex = host.split('.').length <= 3;
  const isLookedAt = dns.isChecked && checkedAt !== null;
  const record = (type: string, name: string, isFound: number) => (
    <p>
      <b>{type}</b> <code>{name}</code> {isLookedAt && <small>{isFound ? t.found : t.notFound}</small>}
    </p>
  );
  return (
    <>
      <p>{t.dnsLead}</p>
      <p class="hint">{t.dnsNameHint}</p>
      {record('CNAME', host, hasCname)}
      <ToCopy id={`target-${index}`} label={t.dnsTarget} of={host} value={dns.target} />
      {isMaybeApex && (
        <p>
          {t.apex} <code>rx.{host}</code>
        </p>
      )}
      {txt && (
        <>
          {record('TXT', txt.name, hasTxt)}
          <ToCopy id={`proof-${index}`} label={t.dnsValue} of={txt.name} value={txt.value} />
        </>
      )}
      <p>{t.dnsProxy}</p>
      <p>{dns.isActivated ? t.nextByItself : t.next}</p>
    </>
  );
}

function CheckForm({ shop, host: { host, status, checkedAt } }: PanelProps) {
  const t = messages();
  return (
    <Form action={`${shopPath(shop.id)}/hosts/${host}/check`}>
      <button type="submit">{status === 'failed' ? t.again : t.check}</button>
      {checkedAt !== null && (
        <small>
          {t.lastCheck}: {formatMoment(checkedAt)}
        </small>
      )}
    </Form>
  );
}
