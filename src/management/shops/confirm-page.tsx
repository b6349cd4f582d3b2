import type { Child } from 'hono/jsx';
import type { Shop } from '../../tenants/service';
import { shopPath } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form } from '../ui/fields';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';
import { linkHostOf } from './list-page';

export function DeactivatePage({ view, shop }: { view: View; shop: Shop }) {
  const words = view.words.shops;
  return (
    <Page view={view} title={words.deactivateTitle(shop.name)}>
      <Consequences texts={words.deactivateLead} />
      <ShopForm view={view} shop={shop} path="/deactivate" act={words.deactivate} />
    </Page>
  );
}

interface RemoveProps {
  view: View;
  shop: Shop;
  host: Shop['hosts'][number];
  /** Why it was not removed just now. */
  fault?: string;
}

export function RemoveHostPage({ view, shop, host: { host, status }, fault }: RemoveProps) {
  const words = view.words.shops;
  const others = shop.hosts.filter((other) => other.host !== host);
  const nextHost = linkHostOf({ hosts: others });
  const isActive = status === 'active';
  return (
    <Page view={view} title={words.removeTitle(host)}>
      <p>
        <bdi>{shop.name}</bdi>
      </p>
      {fault && <p class="fault">{fault}</p>}
      {isActive && shop.isActive && !nextHost ? (
        <>
          <p>{words.isLast}</p>
          <p>
            <a class="button" href={shopPath(shop.id)}>
              {view.words.common.back}
            </a>
          </p>
        </>
      ) : (
        <>
          {isActive ? <Consequences texts={words.removeActive} /> : <p>{words.removePending}</p>}
          {isActive && <p>{nextHost ? words.removeNext(nextHost) : words.removeLast}</p>}
          <ShopForm view={view} shop={shop} path={`/hosts/${host}/remove`} act={words.remove}>
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
  /** Below the shop's own. */
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
