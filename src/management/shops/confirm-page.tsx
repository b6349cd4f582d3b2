import type { Child } from '../../platform/markup';
import type { Shop } from '../../tenants/service';
import { shopPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form } from '../ui/fields';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { linkHostOf } from './list-page';
import { messages } from './messages';

export function DeactivatePage({ view, shop }: { view: View; shop: Shop }) {
  const t = messages(view);
  return (
    <Page view={view} title={t.deactivateTitle(shop.name)}>
      <Consequences texts={t.deactivateLead} />
      <ShopForm view={view} shop={shop} path="/deactivate" act={t.deactivate} />
    </Page>
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
  const shared = sharedMessages(view);
  const t = messages(view);
  const others = shop.hosts.filter((other) => other.host !== host);
  const nextHost = linkHostOf({ hosts: others });
  const isActive = status === 'active';
  return (
    <Page view={view} title={t.removeTitle(host)}>
      <p>
        <bdi>{shop.name}</bdi>
      </p>
      {fault && <p class="fault">{fault}</p>}
      {isActive && shop.isActive && !nextHost ? (
        <>
          <p>{t.isLast}</p>
          <p>
            <a class="button" href={shopPath(shop.id)}>
              {shared.common.back}
            </a>
          </p>
        </>
      ) : (
        <>
          {isActive ? <Consequences texts={t.removeActive} /> : <p>{t.removePending}</p>}
          {isActive && <p>{nextHost ? t.removeNext(nextHost) : t.removeLast}</p>}
          <ShopForm view={view} shop={shop} path={`/hosts/${host}/remove`} act={t.remove}>
            <input type="hidden" name="status" value={status} />
          </ShopForm>
        </>
      )}
    </Page>
  );
}

function Consequences({ texts }: { texts: string[] }) {
  return (
    <>
      {texts.map((text) => (
        <p>{text}</p>
      ))}
    </>
  );
}

interface ShopFormProps {
  view: View;
  shop: Shop;
  /** Path below the shop's own path. */
  path: string;
  act: string;
  children?: Child;
}

function ShopForm({ view, shop, path, act, children }: ShopFormProps) {
  return (
    <Form view={view} action={shopPath(shop.id) + path}>
      {children}
      <Decision view={view} act={act} back={shopPath(shop.id)} />
    </Form>
  );
}
