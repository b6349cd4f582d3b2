import type { Child } from '../../platform/markup/markup';
import type { Shop } from '../../tenants/service';
import { shopPath } from '../http/paths';
import { ToCopy } from '../ui/copy-field';
import { Form } from '../ui/fields';
import { formatMoment } from '../ui/format';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

/** What is known of the DNS of shops' hosts. */
export interface Dns {
  /** The name that hosts have to point to. */
  target: string;
  /** Whether records are looked up, and hosts activated, without the operator. */
  isChecked: boolean;
  isActivated: boolean;
}

interface PanelProps {
  view: View;
  shop: Shop;
  host: Shop['hosts'][number];
  dns: Dns;
  index: number;
}

/** What is to be done about a host that is not active, or points elsewhere. */
export function HostPanel(props: PanelProps) {
  const { view, host } = props;
  const t = messages(view);
  if (host.status === 'moved') {
    return (
      <Panel title={t.movedTitle(host.host)}>
        <p>{t.movedLead}</p>
        <ToCopy view={view} id={`target-${props.index}`} label={t.dnsTarget} of={host.host} value={props.dns.target} />
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

/** The DNS records that the owner has to set for a host, what is there of them, and who does the next step. */
function Records({ view, host: { host, txt, hasCname, hasTxt, checkedAt }, dns, index }: PanelProps) {
  const t = messages(view);
  // These may be a registered domain (apotheke.co.at), where no CNAME is allowed beside SOA and NS (RFC 1034 §3.6.2).
  const isMaybeApex = host.split('.').length <= 3;
  const isLookedAt = dns.isChecked && checkedAt !== null;
  const stateOf = (isFound: number) => isLookedAt && <small>{isFound ? t.found : t.notFound}</small>;
  return (
    <>
      <p>{t.dnsLead}</p>
      <Facts entries={entriesOf(view, 'CNAME', host, stateOf(hasCname))} />
      <ToCopy view={view} id={`target-${index}`} label={t.dnsTarget} of={host} value={dns.target} />
      {isMaybeApex && (
        <p>
          {t.apex} <code>rx.{host}</code>
        </p>
      )}
      {txt && (
        <>
          <Facts entries={entriesOf(view, 'TXT', txt.name, stateOf(hasTxt))} />
          <ToCopy view={view} id={`proof-${index}`} label={t.dnsValue} of={txt.name} value={txt.value} />
        </>
      )}
      <p>{t.dnsProxy}</p>
      <p>{dns.isActivated ? t.nextByItself : t.next}</p>
    </>
  );
}

function entriesOf(view: View, type: string, name: string, state: Child): [string, Child][] {
  const t = messages(view);
  return [
    [
      t.dnsType,
      <>
        {type} {state}
      </>,
    ],
    [
      sharedMessages(view).common.name,
      <>
        <code>{name}</code>
        <small>{t.dnsNameHint}</small>
      </>,
    ],
  ];
}

function CheckForm({ view, shop, host: { host, status, checkedAt } }: PanelProps) {
  const t = messages(view);
  return (
    <Form view={view} action={`${shopPath(shop.id)}/hosts/${host}/check`}>
      <button type="submit">{status === 'failed' ? t.again : t.check}</button>
      {checkedAt !== null && (
        <small>
          {t.lastCheck}: {formatMoment(view.language, checkedAt, view.now)}
        </small>
      )}
    </Form>
  );
}
