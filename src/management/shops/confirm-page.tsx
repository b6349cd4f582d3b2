import { isServed, type Shop } from '../../tenants/service';
import { shopPath } from '../http/paths';
import { ConfirmPage } from '../ui/confirm';
import { Hidden } from '../ui/hidden';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { linkHostOf } from './list-page';
import { messages } from './messages';

export function DeactivatePage({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  return (
    <ConfirmPage
      view={view}
      title={t.deactivateTitle(shop.name)}
      lead={t.deactivateLead}
      action={`${shopPath(shop.id)}/deactivate`}
      act={t.deactivate}
      back={shopPath(shop.id)}
    />
  );
}

interface RemoveProps {
  view: View;
  shop: Shop;
  host: Shop['hosts'][number];
  /** Why the removal was refused. */
  fault?: string;
}

export function RemoveHostPage({ view, shop, host: { host, status }, fault }: RemoveProps) {
  const t = messages(view);
  const others = shop.hosts.filter((other) => other.host !== host);
  const nextHost = linkHostOf({ hosts: others });
  const isActive = isServed(status);
  if (isActive && shop.isActive && !nextHost) return <LastHostPage {...{ view, shop, host, fault }} />;
  return (
    <ConfirmPage
      view={view}
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

/** Why the last active address of an active shop stays. */
function LastHostPage({ view, shop, host, fault }: Omit<RemoveProps, 'host'> & { host: string }) {
  const t = messages(view);
  return (
    <Page view={view} title={t.removeTitle(host)} isDialog>
      <p>
        <bdi>{shop.name}</bdi>
      </p>
      {fault && <p class="fault">{fault}</p>}
      <p>{t.isLast}</p>
      <p>
        <a class="button" href={shopPath(shop.id)}>
          {sharedMessages(view).common.back}
        </a>
      </p>
    </Page>
  );
}
