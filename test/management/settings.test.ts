import { newId } from '../../src/platform/ids';
import { costOf } from '../support/cost';
import { ask, freshHost, openOrganization } from '../support/operator';
import { accepted, problemOf } from '../support/probe';
import { auditOf, insertRow, insertRows, quoted, rowOf } from '../support/rows';
import { expect, test } from '../support/test';
import { envelope, openPharmacy, operate, rows, submit } from '../support/world';
import { type Browser, enter, openOwned } from './browser';
import { formOn } from './page-forms';

const SHOPS = '/manage/settings/shops';
const ORGANIZATION = '/manage/settings/organization';
const IBAN = 'DE89370400440532013000';
const OTHER_IBAN = 'FR1420041010050500013M02606';

function hostsOf(shopId: string) {
  return rows<{ host: string; status: string }>(
    `select host, status from (select host, 'active' as status, created_at from shop_hosts where shop_id = ?1
       union all select host, 'pending', created_at from pending_hosts where shop_id = ?1) order by created_at, host`,
    shopId,
  );
}

const shopRow = (id: string) => rowOf('shops', { id });
const organizationRow = (id: string) => rowOf('organizations', { id });
const actionsOf = (entityId: string) => auditOf(entityId, { actor_kind: 'staff' });

async function organizationForm(browser: Browser): Promise<Record<string, string>> {
  return formOn(await browser.get(ORGANIZATION), ORGANIZATION);
}

test('the shops of a pharmacy with one shop are its page, from which a second one is opened; then they are a list', async ({
  pharmacy,
}) => {
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const details = `action="${SHOPS}/${pharmacy.shopId}"`;
  const only = await browser.get(SHOPS);
  expect(only.text).toContain(details);
  const all = `${SHOPS}?all=1`;
  expect(only.text).toContain(`href="${all}"`);
  expect(await browser.fill(all, { name: 'Süd', host: '' }, SHOPS)).toMatchObject({ status: 303 });
  const list = await browser.get(SHOPS);
  expect(list.text).not.toContain(details);
  expect(list.text).toContain('<bdi>Süd</bdi>');
});

test('an owner opens a shop; its host answers once the operator has let it in, not before', async ({ pharmacy }) => {
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const host = freshHost('localhost');
  const name = `${'ü'.repeat(80)} עברית`;
  const answer = await browser.submit(SHOPS, { name, host: ` ${host.toUpperCase()}. `, deliveryServiceName: '' });
  expect(answer.status).toBe(303);
  const shopId = answer.location?.split('/').at(-1) ?? '';
  const page = await browser.get(answer.location ?? '');
  for (const words of ['Der Shop ist eröffnet.', 'Wartet auf Freischaltung', `<code>${host}</code>`])
    expect(page.text).toContain(words);
  expect(page.text).toMatch(/id="target-0"[^>]* readonly[^>]*>connect\.shops\.localhost</);
  expect((await browser.get(SHOPS)).text).toContain(`<bdi>${name}</bdi>`);
  expect(await shopRow(shopId)).toMatchObject({ name, is_active: 1, delivery_service_name: 'Lieferdienst' });
  const there = { ...pharmacy, url: `http://${host}:8787/api/v1/external-order` };
  await problemOf(await submit(there, envelope()), 404, 'not_found');

  const hosts = `/organizations/${pharmacy.orgId}/shops/${shopId}/hosts`;
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await ask(hosts, { host })).status);
  expect(statuses).toEqual([201, 200, 200]);
  await accepted(await submit(there, envelope()));
  expect((await browser.get(`${SHOPS}/${shopId}`)).text).toContain('Steht in Zahlungslinks');
  expect((await auditOf(shopId)).map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
    ['shop.created', 'staff'],
    ['shop_host.activated', 'operator'],
  ]);
});

test('what cannot name a shop is refused beside its field, what was typed stays, and nothing is made', async () => {
  const { browser, orgId, path, shopId, host } = await openOwned();
  const other = await openPharmacy();
  for (const [typed, message] of [
    ['127.0.0.1', 'statt einer IP-Adresse'],
    [host, 'schon vergeben oder von Ihnen angefragt'],
    [other.host, 'schon vergeben oder von Ihnen angefragt'],
  ] as const) {
    const added = await browser.submit(`${path}/hosts`, { host: typed }, path);
    const opened = await browser.submit(SHOPS, { name: 'Süd', host: typed, deliveryServiceName: 'Flitzer' });
    for (const page of [added, opened]) {
      expect(page.status).toBe(400);
      expect(page.text).toMatch(new RegExp(`id="host-fault">[^<]*${message}`));
      expect(page.text).toContain(`name="host" type="text" value="${typed}"`);
    }
    for (const kept of ['Süd', 'Flitzer']) expect(opened.text).toContain(`value="${kept}"`);
    expect(added.text).not.toContain(other.orgId);
  }
  const nameless = await browser.submit(SHOPS, { name: ' ', host: freshHost(), deliveryServiceName: 'EXPRESS' });
  expect(nameless.text).toMatch(/id="name-fault">Bitte einen Namen/);
  expect(nameless.text).toMatch(/id="deliveryServiceName-fault">Bitte höchstens 60 Zeichen/);
  expect(await rows('select id from shops where org_id = ?', orgId)).toEqual([{ id: shopId }]);
  expect(await hostsOf(shopId)).toEqual([{ host, status: 'active' }]);
});

test('a domain without a prefix gets other advice than a CNAME', async ({ owned: { browser, path } }) => {
  const apex = `${freshHost().split('.')[0]}.example`;
  await browser.submit(`${path}/hosts`, { host: apex }, path);
  expect((await browser.get(path)).text).toContain(`<code>rx.${apex}</code>`);
  expect((await browser.get(path, { 'Accept-Language': 'en' })).text).toContain('CNAME flattening');
});

test('a host that only waits keeps no other organization’s webhooks or prescriptions away', async () => {
  const { browser, path } = await openOwned();
  const host = freshHost();
  await browser.submit(`${path}/hosts`, { host }, path);
  const other = await openPharmacy();
  await operate(`/organizations/${other.orgId}/subscriptions`, {
    url: `https://${host}/hook`,
    event_types: ['order_created'],
  });
  await accepted(await submit(other, envelope({ prescription_pdf_url: `https://${host}/rx.pdf` })));
});

test('ten hosts a shop and fifty shops are the most, also when added at the same moment', async () => {
  const { browser, orgId, path, shopId } = await openOwned();
  const { token } = await browser.get(path);
  const add = () => browser.post(`${path}/hosts`, { form_token: token, host: freshHost() });
  const added = await Promise.all(Array.from({ length: 12 }, add));
  expect(added.map(({ status }) => status).sort()).toEqual([...Array(9).fill(303), ...Array(3).fill(400)]);
  expect(await hostsOf(shopId)).toHaveLength(10);
  expect((await add()).text).toContain('Höchstens 10 Adressen je Shop');
  await insertRows('shops', 47, { id: `'filler-${orgId}-' || i`, org_id: quoted(orgId) });
  const open = () => browser.post(SHOPS, { form_token: token, name: 'Süd', host: '' });
  const opened = await Promise.all(Array.from({ length: 4 }, open));
  expect(opened.map(({ status }) => status).sort()).toEqual([303, 303, 400, 400]);
  const [count] = await rows('select count(*) as n from shops where org_id = ?', orgId);
  expect(count).toEqual({ n: 50 });
  expect((await browser.get(SHOPS)).text).toContain('Sie haben 50 Shops');
});

test('a shop gets another name and delivery service; what somebody else saved since is not written over', async () => {
  const { browser, path, shopId } = await openOwned();
  const fields = formOn(await browser.get(path), path);
  const saved = await browser.post(path, { ...fields, name: 'Nord', deliveryServiceName: 'Flitzer' });
  expect(saved).toMatchObject({ status: 303, location: path });
  const stale = await browser.post(path, { ...fields, name: 'Süd', deliveryServiceName: 'Lieferdienst' });
  expect(stale.status).toBe(400);
  expect(stale.text).toContain('Inzwischen hat jemand anderes gespeichert');
  expect(stale.text).toContain('value="Süd"');
  expect(await shopRow(shopId)).toMatchObject({ name: 'Nord', delivery_service_name: 'Flitzer' });
  const again = { ...formOn(stale, path), name: 'Süd', deliveryServiceName: 'Flitzer' };
  expect(await browser.post(path, again)).toMatchObject({ status: 303 });
  const refused = await browser.fill(path, { name: 'x'.repeat(201), deliveryServiceName: 'Versand' });
  expect(refused.status).toBe(400);
  expect(refused.text.match(/class="fault"/g)).toHaveLength(2);
  expect((await actionsOf(shopId)).map((act) => act.fields)).toEqual(['["name","delivery_service_name"]', '["name"]']);
});

test('where a shop is and when it is open is kept as typed and emptied again; what nobody can dial or read is refused', async () => {
  const { browser, path, shopId } = await openOwned();
  const save = (typed: Record<string, string>) => browser.fill(path, typed);
  const place = { street: ' Lindenstraße 80 ', postalCode: '10969', city: 'Berlin', phone: '+49 30 5557-1200' };
  expect((await save({ ...place, openingHours: 'Mo–Fr 8–18 Uhr' })).status).toBe(303);
  const kept = { street: 'Lindenstraße 80', postal_code: '10969', city: 'Berlin', phone: '+49 30 5557-1200' };
  expect(await shopRow(shopId)).toMatchObject({ ...kept, opening_hours: 'Mo–Fr 8–18 Uhr' });
  const wrong = { street: 'x'.repeat(101), postalCode: '1'.repeat(13), phone: '0800 APOTHEKE' };
  const refused = await save({ ...wrong, openingHours: 'x'.repeat(201) });
  expect(refused.status).toBe(400);
  expect(refused.text.match(/class="fault"/g)).toHaveLength(4);
  expect((await save({ street: '', postalCode: ' ', city: '', phone: '', openingHours: '' })).status).toBe(303);
  const empty = { street: null, postal_code: null, city: null, phone: null, opening_hours: null };
  expect(await shopRow(shopId)).toMatchObject(empty);
});

test('fees, couriers and other names of the options and minutes are saved by one button; what is wrong is said beside its field', async () => {
  const { browser, path, shopId } = await openOwned();
  const typed = { Versand: '4,90', feeMaxCents: '12', deliveryServiceKind: 'versand', reservePaidMinutes: '60' };
  expect(
    await browser.fill(path, { ...typed, 'aliases-Versand': 'UPS, dhl', 'aliases-delivery': 'Rad' }),
  ).toMatchObject({
    status: 303,
    location: path,
  });
  const saved = { fee_max_cents: 1200, delivery_service_kind: 'versand', reserve_paid_minutes: 60 };
  const row = await shopRow(shopId);
  expect(row).toMatchObject(saved);
  expect(JSON.parse(String(row?.fees))).toEqual({ Versand: 490 });
  expect(JSON.parse(String(row?.shipping_aliases))).toEqual({ UPS: 'Versand', dhl: 'Versand', Rad: 'delivery' });
  // The same again changes nothing.
  expect((await browser.fill(path, {})).status).toBe(303);
  expect((await actionsOf(shopId)).map(({ fields }) => JSON.parse(String(fields)).toSorted())).toEqual([
    ['delivery_service_kind', 'fee_max', 'fees', 'reserve_minutes_paid', 'shipping_aliases'],
  ]);
  const names = { 'aliases-Express': 'ups', 'aliases-Abholung': 'Express' };
  const refused = await browser.fill(path, {
    ...names,
    Express: '1,2,3',
    feeMaxCents: '',
    reservePendingMinutes: '-1',
  });
  expect(refused.status).toBe(400);
  expect([...refused.text.matchAll(/id="([\w-]+)-fault"/g)].map(([, name]) => name).toSorted()).toEqual(
    [...Object.keys(names), 'Express', 'feeMaxCents', 'reservePendingMinutes'].toSorted(),
  );
  expect(refused.text).toContain('value="1,2,3"');
  expect(await shopRow(shopId)).toMatchObject(saved);
});

test('an inactive shop refuses order requests until it is active again; the confirm page says so first', async () => {
  const { browser, path, shopId, ...pharmacy } = await openOwned();
  const asked = await browser.get(`${path}/deactivate`);
  expect(asked.text).toContain('Shop „Mitte“ inaktiv schalten?');
  expect(asked.text).toContain('die Plattformen erfahren, dass der Shop nicht annimmt');
  for (let time = 0; time < 2; time += 1) {
    expect(await browser.submit(`${path}/deactivate`, {})).toMatchObject({ status: 303, location: path });
  }
  await problemOf(await submit({ ...pharmacy, shopId }, envelope()), 400, 'shop_inactive');
  expect((await browser.get(SHOPS)).text).toContain('Weist Bestellanfragen ab');
  expect(await browser.submit(`${path}/activate`, {}, path)).toMatchObject({ status: 303 });
  await accepted(await submit({ ...pharmacy, shopId }, envelope()));
  expect((await actionsOf(shopId)).map(({ action }) => action)).toEqual(['shop.deactivated', 'shop.activated']);
});

test('a host is removed after a page that says what ends; the last active one of an active shop stays', async () => {
  const { browser, orgId, path, shopId, host } = await openOwned();
  const [second, waiting] = [freshHost(), freshHost()];
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: second });
  await browser.submit(`${path}/hosts`, { host: waiting }, path);
  const removal = (name: string) => `${path}/hosts/${name}/remove`;
  const { token, text } = await browser.get(removal(host));
  expect(text).toContain('Zahlungslinks, die schon verschickt sind');
  expect(text).toContain(`zeigen dann auf ${second}.`);
  const remove = (name: string, status: string) => browser.post(removal(name), { form_token: token, status });
  const both = await Promise.all([remove(host, 'active'), remove(second, 'active')]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(both.map((page) => page.text).join()).toContain('Das ist die letzte aktive Adresse');
  const [left] = await hostsOf(shopId);
  expect((await browser.get(removal(left?.host ?? ''))).text).not.toContain('class="danger"');
  expect(await remove(waiting, 'pending')).toMatchObject({ status: 303, location: path });
  expect(await remove(waiting, 'pending')).toMatchObject({ status: 404 });
  await browser.submit(`${path}/deactivate`, {});
  expect((await browser.get(removal(left?.host ?? ''))).text).toContain('keine aktive Adresse');
  expect(await remove(left?.host ?? '', 'active')).toMatchObject({ status: 303 });
  expect(await hostsOf(shopId)).toEqual([]);
});

test('a host that became active since is not removed as one that waits', async () => {
  const { browser, orgId, path, shopId } = await openOwned();
  const host = freshHost();
  await browser.submit(`${path}/hosts`, { host }, path);
  const { token } = await browser.get(`${path}/hosts/${host}/remove`);
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
  const page = await browser.post(`${path}/hosts/${host}/remove`, { form_token: token, status: 'pending' });
  expect(page.status).toBe(400);
  expect(page.text).toContain('Inzwischen ist die Adresse freigeschaltet');
  expect(page.text).toContain('name="status" value="active"');
  expect(await hostsOf(shopId)).toHaveLength(2);
});

test('the first host that became active stays the address in links, whichever was asked for first', async () => {
  const { browser, orgId, path, shopId, host } = await openOwned();
  const early = freshHost();
  await insertRow('pending_hosts', { id: newId(), org_id: orgId, shop_id: shopId, host: early });
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host: early });
  expect((await hostsOf(shopId)).map((each) => each.host)).toEqual([host, early]);
  expect((await browser.get(path)).text.match(/Steht in Zahlungslinks/g)).toHaveLength(1);
});

test('an owner changes the organization: only what changed is written, and the audit names fields alone', async () => {
  const orgId = await openOrganization();
  const { browser } = await enter(orgId, 'owner');
  const typed = {
    ...{ name: 'Löwen', iban: ' de89 3704 0044 0532 0130 00 ', paymentRecipient: 'Löwen-Apotheke OHG' },
    ...{ lowStockThreshold: '0', orderRetentionDays: '3653' },
  };
  expect(await browser.fill(ORGANIZATION, typed)).toMatchObject({ status: 303, location: ORGANIZATION });
  expect(await organizationRow(orgId)).toMatchObject({
    ...{ name: 'Löwen', iban: IBAN, payment_recipient: 'Löwen-Apotheke OHG', low_stock_threshold: 0 },
    ...{ request_retention_days: 90, order_retention_days: 3653 },
  });
  expect((await browser.get(ORGANIZATION)).text).toContain('value="DE89 3704 0044 0532 0130 00"');
  expect(await browser.fill(ORGANIZATION, {})).toMatchObject({ status: 303 });
  const fields = '["name","iban","payment_recipient","low_stock_threshold","order_retention_days"]';
  expect(await actionsOf(orgId)).toMatchObject([{ action: 'organization.updated', fields }]);
});

test('what an organization cannot have is refused beside its field, all at once; what was typed stays', async () => {
  const orgId = await openOrganization();
  const { browser } = await enter(orgId, 'owner');
  const before = await organizationRow(orgId);
  for (const [field, typed, message] of [
    ['name', '', 'Bitte einen Namen'],
    ['iban', 'DE88370400440532013000', 'Diese IBAN stimmt nicht'],
    ['paymentRecipient', 'x'.repeat(71), 'Höchstens 70 Zeichen'],
    ['lowStockThreshold', '1e3', 'von 0 bis 1000000'],
    ['requestRetentionDays', '6', 'Bestellanfragen: eine ganze Zahl von 7 bis 3653'],
    ['requestRetentionDays', '3654', 'Bestellanfragen: eine ganze Zahl von 7 bis 3653'],
    ['orderRetentionDays', '1826', 'Bestellungen: eine ganze Zahl von 1827 bis 10958'],
    ['orderRetentionDays', '10959', 'Bestellungen: eine ganze Zahl von 1827 bis 10958'],
  ] as const) {
    const page = await browser.fill(ORGANIZATION, { name: 'Neu', [field]: typed });
    expect(page.status).toBe(400);
    expect(page.text).toMatch(new RegExp(`id="${field}-fault">[^<]*${message}`));
    expect(formOn(page, ORGANIZATION)).toMatchObject({ [field]: typed });
  }
  const both = await browser.fill(ORGANIZATION, { iban: 'DE00', orderRetentionDays: '20' });
  expect(both.text.match(/class="fault"/g)).toHaveLength(2);
  expect(await organizationRow(orgId)).toEqual(before);
});

test('another account and a shorter time are asked once, with what follows; a first account is not', async () => {
  const { org_id: orgId = '' } = await operate('/organizations', { name: 'A', iban: IBAN, shard: 0 });
  const { browser } = await enter(orgId, 'owner');
  const form = await organizationForm(browser);
  const asked = await browser.post(ORGANIZATION, { ...form, iban: OTHER_IBAN, requestRetentionDays: '30' });
  expect(asked.status).toBe(200);
  expect(asked.text).toContain('DE89 3704 0044 0532 0130 00');
  expect(asked.text).toContain('FR14 2004 1010 0505 0001 3M02 606');
  expect(asked.text).toContain('in der nächsten Nacht gelöscht');
  expect(await organizationRow(orgId)).toMatchObject({ iban: IBAN, request_retention_days: 90 });
  const confirmed = formOn(asked, ORGANIZATION);
  expect(await browser.post(ORGANIZATION, confirmed)).toMatchObject({ status: 303 });
  expect(await organizationRow(orgId)).toMatchObject({ iban: OTHER_IBAN, request_retention_days: 30 });
  const none = await browser.post(ORGANIZATION, { ...(await organizationForm(browser)), iban: '' });
  expect(none.text).toContain('Zahlungslinks sind dann nicht mehr möglich');
  await browser.post(ORGANIZATION, formOn(none, ORGANIZATION));
  expect(await organizationRow(orgId)).toMatchObject({ iban: null });
});

test('a rule for shipping is added once: it is not proposed again, the same one is refused, and it can be removed', async ({
  owner: { browser },
}) => {
  const rules = `${ORGANIZATION}/rules`;
  const proposed = `href="${rules}?draft=0#add"`;
  expect((await browser.get(rules)).text).toContain(proposed);
  const draft = `${rules}?draft=0`;
  const saved = await browser.fill(draft, {}, rules);
  expect(saved).toMatchObject({ status: 303, location: rules });
  const page = await browser.get(rules);
  expect(page.text).toContain('Gespeichert.');
  expect(page.text).not.toContain(proposed);
  const again = await browser.fill(draft, { category: 'NOTFALLKONTRAZEPTIVA' }, rules);
  expect(again.status).toBe(400);
  expect(again.text).toContain('Diese Regel gibt es schon.');
  expect(await browser.fill(draft, { shipping: 'bote' }, rules)).toMatchObject({ status: 303 });
  expect(await browser.fill(rules, { rule: '0' }, `${rules}/remove`)).toMatchObject({ status: 303 });
  expect((await browser.get(rules)).text).toContain(proposed);
});

test('an organization that somebody else saved since is not written over', async ({ orgId, owner: { browser } }) => {
  const form = await organizationForm(browser);
  await operate(`/organizations/${orgId}`, { iban: IBAN }, 'PATCH');
  const page = await browser.post(ORGANIZATION, { ...form, name: 'Neu' });
  expect(page.status).toBe(400);
  expect(page.text).toContain('Inzwischen hat jemand anderes gespeichert');
  expect(formOn(page, ORGANIZATION)).toMatchObject({ name: 'Neu' });
  expect(await organizationRow(orgId)).toMatchObject({ name: 'Löwen-Apotheke', iban: IBAN });
});

test('days that the operator set stay as they are when an owner saves something else', async () => {
  const { org_id: orgId = '' } = await operate('/organizations', { name: 'A', order_retention_days: 20, shard: 0 });
  const { browser } = await enter(orgId, 'owner');
  await browser.post(ORGANIZATION, { ...(await organizationForm(browser)), name: 'B' });
  expect(await organizationRow(orgId)).toMatchObject({ name: 'B', order_retention_days: 20 });
});

test('forms cost up to four round trips, one of which asks another database for a host', async () => {
  const { browser, path, host } = await openOwned();
  const { token } = await browser.get(path);
  const form = await organizationForm(browser);
  const details = formOn(await browser.get(path), path);
  const costs: number[] = [];
  for (const [to, fields] of [
    [ORGANIZATION, { ...form, name: 'Neu' }],
    [path, { ...details, name: 'Neu', deliveryServiceName: 'Neu' }],
    [SHOPS, { name: 'Neu', host: freshHost() }],
    [`${path}/hosts`, { host: freshHost() }],
    [`${path}/hosts`, { host }],
    [`${path}/deactivate`, {}],
    [`${path}/hosts/${host}/remove`, { status: 'active' }],
  ] as const) {
    costs.push((await costOf(() => browser.post(to, { form_token: token, ...fields }))).roundTrips);
  }
  expect(costs).toEqual([3, 3, 4, 4, 4, 2, 2]);
});
