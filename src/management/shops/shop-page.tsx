import { HOSTS_MAX } from '../../tenants/limits';
import type { Shop } from '../../tenants/service';
import { SHOPS, shopPath } from '../http/paths';
import { ToCopy } from '../ui/copy-field';
import { ErrorSummary, Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { HostChip, linkHostOf, ShopChip } from './list-page';
import { messages } from './messages';

export interface ShopState {
  name?: string;
  deliveryServiceName?: string;
  host?: string;
  fieldErrors?: FieldErrors;
}

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
    <Page view={view} title={shop.name}>
      <ErrorSummary view={view} fieldErrors={state.fieldErrors ?? {}} />
      <p>
        <a href={SHOPS}>{t.back}</a>
      </p>
      <div class="two-columns">
        <div>
          <section class="panel">
            <h2>{t.hosts}</h2>
            {shop.hosts.length === 0 ? <p>{t.noHost}</p> : <HostTable view={view} shop={shop} />}
          </section>
          {pending.map(({ host }, index) => (
            <PendingHost view={view} host={host} target={shopCnameTarget} id={`target-${index}`} />
          ))}
          <section class="panel">
            <h2>{t.addTitle}</h2>
            <HostForm view={view} shop={shop} state={state} />
          </section>
        </div>
        <aside>
          <section class="panel">
            <h2>{t.intake}</h2>
            <IntakeSwitch view={view} shop={shop} />
          </section>
          <section class="panel">
            <h2>{t.details}</h2>
            <DetailsForm view={view} shop={shop} state={state} />
          </section>
        </aside>
      </div>
    </Page>
  );
}

function HostTable({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  const linkHost = linkHostOf(shop);
  return (
    <table class="cards lines">
      <TableHead columns={[t.host, t.status]} actions={t.actions} />
      <tbody>
        {shop.hosts.map(({ host, status }) => (
          <tr>
            <td>
              <code>{host}</code>
              {host === linkHost && <small>{t.linkHost}</small>}
            </td>
            <td data-label={t.status}>
              <HostChip view={view} status={status} />
            </td>
            <td class="actions">
              <a href={`${shopPath(shop.id)}/hosts/${host}/remove`}>
                {t.remove}
                <span class="unseen">: {host}</span>
              </a>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
    <section class="panel">
      <h2>{t.waiting(host)}</h2>
      <p>{t.dnsLead}</p>
      <dl>
        <dt>{t.dnsType}</dt>
        <dd>CNAME</dd>
        <dt>{t.dnsName}</dt>
        <dd>
          <code>{host}</code>
          <small>{t.dnsNameHint}</small>
        </dd>
      </dl>
      <ToCopy view={view} id={id} label={t.dnsTarget} of={host} value={target} />
      {isApex && (
        <p>
          {t.apex} <code>rx.{host}</code>
        </p>
      )}
      <p>{t.dnsProxy}</p>
      <p>{t.next}</p>
    </section>
  );
}

function HostForm({ view, shop, state }: Omit<ShopProps, 'shopCnameTarget'>) {
  const t = messages(view);
  if (shop.hosts.length >= HOSTS_MAX) return <p id="host">{t.hostsFull(HOSTS_MAX)}</p>;
  return (
    <Form view={view} action={`${shopPath(shop.id)}/hosts`}>
      <Field
        name="host"
        label={t.host}
        hint={t.hostHint}
        value={state.host}
        fieldErrors={state.fieldErrors}
        autocomplete="off"
      />
      <button class="primary" type="submit">
        {t.add}
      </button>
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
  const shared = sharedMessages(view);
  const t = messages(view);
  const { name = shop.name, deliveryServiceName = shop.deliveryServiceName, fieldErrors } = state;
  return (
    <Form view={view} action={shopPath(shop.id)}>
      <input type="hidden" name="seenAt" value={String(shop.updatedAt)} />
      <Field name="name" label={t.name} value={name} fieldErrors={fieldErrors} autocomplete="off" />
      <Field
        name="deliveryServiceName"
        label={t.delivery}
        hint={t.deliveryHint}
        value={deliveryServiceName}
        fieldErrors={fieldErrors}
        autocomplete="off"
      />
      <button type="submit">{shared.common.save}</button>
    </Form>
  );
}
