import { idOfKey } from '../../src/auth/keys/format';
import { openTold, toldTo } from '../support/callbacks';
import { reject } from '../support/order-flow';
import { createKey, succeeded } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { accepted } from '../support/probe';
import { openSeller } from '../support/seller';
import { beforeEach, expect, test } from '../support/test';
import { newReceiverUrl } from '../support/webhooks';
import { envelope, rows, submit } from '../support/world';
import { enter } from './browser';

beforeEach(() => {
  outsideAnswers();
});

const KEYS = '/manage/settings/keys';
const WEBHOOKS = '/manage/settings/webhooks';

test('an owner sets a callback with an integration key; its secret is shown once, its page and log are those of webhooks', async () => {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'owner');
  const path = `${KEYS}/${idOfKey(seller.integrationKey)}`;
  const url = newReceiverUrl();
  const made = await browser.shown(browser.fill(path, { url }, `${path}/callback`));
  const secret = />(whsec_[^<]+)</.exec(made.text)?.[1] ?? 'none';
  const again = await browser.get(path);
  expect(again.text).toContain(url);
  expect(again.text).not.toContain(secret);
  const [{ id = '' } = {}] = await rows<{ id: string }>('select id from subscriptions where org_id = ?', seller.orgId);

  const { id: requestId } = await accepted(await submit(seller, envelope({}, { external_reference: 'RX-1' })));
  succeeded(await reject(seller, requestId, { reason_code: 'test' }));
  const list = await browser.get(WEBHOOKS);
  expect(list.text).toContain('0 von 5 Abonnements');
  expect(list.text).toContain('Statusmeldungen an Plattformen');
  const page = await browser.get(`${WEBHOOKS}/${id}`);
  expect(page.text).toContain('Statusmeldung an erp');
  expect(page.text).toContain('order_request_rejected');

  const changed = newReceiverUrl();
  await browser.fill(`${WEBHOOKS}/${id}/edit`, { url: changed });
  const [row] = await rows<{ url: string; types: number }>(
    'select url, json_array_length(event_types) as types from subscriptions where id = ?',
    id,
  );
  expect(row).toEqual({ url: changed, types: 6 });
});

test('a private address is refused beside the field, and so is a second callback of one integration', async () => {
  const { seller } = await openTold();
  const { browser } = await enter(seller.orgId, 'owner');
  const { keyId } = await createKey(seller.orgId, ['external_orders.submit']);
  const page = `${KEYS}/${keyId}`;
  const path = `${page}/callback`;
  const refused = await browser.fill(page, { url: 'https://db.internal/in' }, path);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain('Diese Adresse ist aus dem Internet nicht erreichbar.');
  expect(refused.text).toContain('value="https://db.internal/in"');
  const { token } = await browser.get(page);
  const fields = { form_token: token, url: newReceiverUrl() };
  expect(await browser.post(path, fields)).toMatchObject({ status: 303 });
  const second = await browser.post(path, fields);
  expect(second.status).toBe(400);
  expect(second.text).toContain('Jemand hat das Abonnement inzwischen geändert.');
});

test('revoking the last key says that the callback ends, and ends it', async () => {
  const told = await openTold();
  const { seller } = told;
  const { browser } = await enter(seller.orgId, 'owner');
  const { id } = await accepted(await submit(seller, envelope()));
  succeeded(await reject(seller, id, { reason_code: 'test' }));
  const path = `${KEYS}/${idOfKey(seller.integrationKey)}/revoke`;
  expect((await browser.get(path)).text).toContain('endet auch ihre Statusmeldung');
  await browser.submit(path, {});
  expect(await toldTo(told)).toMatchObject([{ status: 'cancelled' }]);
  expect((await browser.get(WEBHOOKS)).text).not.toContain('Statusmeldungen an Plattformen');
});

test('a subscription is limited to shops and platforms on its form, and the page says what that held back', async () => {
  const seller = await openSeller();
  const { browser } = await enter(seller.orgId, 'owner');
  const form = { url: newReceiverUrl(), order_request_submitted: 'on', [`shop:${seller.otherShopId}`]: 'on' };
  await browser.shown(browser.submit(WEBHOOKS, { ...form, sources: ' telemed.example, b.example ' }));
  const stored = () =>
    rows<{ id: string; shop_ids: string; sources: string }>(
      'select id, shop_ids, sources from subscriptions where org_id = ?',
      seller.orgId,
    );
  const [made] = await stored();
  expect(made).toMatchObject({
    shop_ids: JSON.stringify([seller.otherShopId]),
    sources: '["telemed.example","b.example"]',
  });
  await accepted(await submit(seller, envelope()));
  const page = await browser.get(`${WEBHOOKS}/${made?.id}`);
  expect(page.text).toContain('nur telemed.example, b.example');
  expect(page.text).toContain('1 Ereignis');
  const edit = await browser.get(`${WEBHOOKS}/${made?.id}/edit`);
  expect(edit.text).toContain('value="telemed.example, b.example"');
  await browser.fill(`${WEBHOOKS}/${made?.id}/edit`, { sources: '', [`shop:${seller.otherShopId}`]: '' });
  expect(await stored()).toMatchObject([{ shop_ids: null, sources: null }]);
  const strange = await browser.submit(WEBHOOKS, { ...form, 'shop:nowhere': 'on' });
  expect(strange.status).toBe(400);
  expect(strange.text).toContain('Bitte eigene Shops wählen.');
});
