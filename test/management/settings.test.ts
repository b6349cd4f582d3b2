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

test('an owner opens a shop; its host answers once the operator has let it in, not before', async ({ pharmacy }) => {
  const { browser } = await enter(pharmacy.orgId, 'owner');
  const host = freshHost('localhost');
  const name = `<script>${'ü'.repeat(80)} עברית`;
  const answer = await browser.submit(SHOPS, { name, host: ` ${host.toUpperCase()}. `, deliveryServiceName: '' });
  expect(answer.status).toBe(303);
  const shopId = answer.location?.split('/').at(-1) ?? '';
  const page = await browser.get(answer.location ?? '');
  expect(page.text).toContain('Der Shop ist eröffnet.');
  expect(page.text).toContain('Wartet auf Freischaltung');
  expect(page.text).toMatch(/id="target-0" value="connect\.shops\.localhost" readonly/);
  expect(page.text).toContain(`<code>${host}</code>`);
  expect((await browser.get(SHOPS)).text).toContain(`<bdi>&lt;script&gt;${'ü'.repeat(80)} עברית</bdi>`);
  expect(await shopRow(shopId)).toMatchObject({ name, is_active: 1, delivery_service_name: 'Lieferdienst' });
  const there = { ...pharmacy, url: `http://${host}:8787/api/v1/external-order` };
  await problemOf(await submit(there, envelope()), 404, 'not_found');

  const waiting = await ask('/hosts?status=pending', undefined, { method: 'GET' });
  expect((await waiting.json<{ data: unknown[] }>()).data).toContainEqual(
    expect.objectContaining({ org_id: pharmacy.orgId, shop_id: shopId, host }),
  );
  const hosts = `/organizations/${pharmacy.orgId}/shops/${shopId}/hosts`;
  const statuses = [];
  for (let time = 0; time < 3; time += 1) statuses.push((await ask(hosts, { host })).status);
  expect(statuses).toEqual([201, 200, 200]);
  await accepted(await submit(there, envelope()));
  expect((await browser.get(`${SHOPS}/${shopId}`)).text).toContain('Steht in Zahlungslinks');
  expect(await rows('select action, actor_kind from audit_log where entity_id = ? order by id', shopId)).toEqual([
    { action: 'shop.created', actor_kind: 'staff' },
    { action: 'shop_host.activated', actor_kind: 'operator' },
  ]);
});

test('what cannot name a shop is refused beside its field, what was typed stays, and nothing is made', async () => {
  const { browser, orgId, path, shopId, host } = await openOwned();
  const other = await openPharmacy();
  for (const [typed, message] of [
    ['https://rx.example.com', 'ohne https://, Port und Pfad'],
    ['127.0.0.1', 'statt einer IP-Adresse'],
    ['intranet', 'den es im Internet gibt'],
    ['', 'ohne https://, Port und Pfad'],
    [host, 'schon vergeben oder von Ihnen angefragt'],
    [other.host, 'schon vergeben oder von Ihnen angefragt'],
  ] as const) {
    const added = await browser.submit(`${path}/hosts`, { host: typed }, path);
    expect(added.status).toBe(400);
    expect(added.text).toMatch(new RegExp(`id="host-fault">[^<]*${message}`));
    expect(added.text).toContain(`name="host" type="text" value="${typed}"`);
    if (typed === '') continue;
    const opened = await browser.submit(SHOPS, { name: 'Süd', host: typed, deliveryServiceName: 'Flitzer' });
    expect(opened.status).toBe(400);
    expect(opened.text).toMatch(new RegExp(`id="host-fault">[^<]*${message}`));
    expect(opened.text).toContain('value="Süd"');
    expect(opened.text).toContain('value="Flitzer"');
  }
  expect((await browser.submit(`${path}/hosts`, { host: other.host }, path)).text).not.toContain(other.orgId);
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

test('nobody keeps a name by asking for it first: the operator’s word for another shop takes it over', async () => {
  const squatter = await openOwned();
  const entitled = await openOwned();
  const host = freshHost('localhost');
  await squatter.browser.submit(`${squatter.path}/hosts`, { host }, squatter.path);
  const asked = await entitled.browser.submit(`${entitled.path}/hosts`, { host }, entitled.path);
  expect(asked.status).toBe(303);
  const { orgId, shopId } = entitled;
  await operate(`/organizations/${orgId}/shops/${shopId}/hosts`, { host });
  expect(await hostsOf(shopId)).toEqual([
    { host: entitled.host, status: 'active' },
    { host, status: 'active' },
  ]);
  expect(await hostsOf(squatter.shopId)).toEqual([{ host: squatter.host, status: 'active' }]);
  await accepted(await submit({ ...entitled, url: `http://${host}:8787/api/v1/external-order` }, envelope()));
  const back = `/organizations/${squatter.orgId}/shops/${squatter.shopId}/hosts`;
  await problemOf(await ask(back, { host }), 409, 'host_taken');
  const other = freshHost();
  await squatter.browser.submit(`${squatter.path}/hosts`, { host: other }, squatter.path);
  const made = await operate(`/organizations/${orgId}/shops`, { name: 'Nord', hosts: [freshHost(), other] });
  expect((await hostsOf(made.shop_id ?? '')).map(({ status }) => status)).toEqual(['active', 'active']);
});

test('of operators who activate a waiting host for several shops at once one succeeds', async ({ owned }) => {
  const host = freshHost();
  await owned.browser.submit(`${owned.path}/hosts`, { host }, owned.path);
  const shops = [owned, await openPharmacy(), await openPharmacy()];
  const answers = await Promise.all(
    shops.map(({ orgId, shopId }) => ask(`/organizations/${orgId}/shops/${shopId}/hosts`, { host })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await rows('select host from shop_hosts where host = ?', host)).toEqual([{ host }]);
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
  const [mine, theirs] = [await browser.get(path), await browser.get(path)];
  const fields = formOn(mine, path);
  const saved = await browser.post(path, { ...fields, name: 'Nord', deliveryServiceName: 'Flitzer' });
  expect(saved).toMatchObject({ status: 303, location: path });
  expect(await shopRow(shopId)).toMatchObject({ name: 'Nord', delivery_service_name: 'Flitzer' });
  const stale = await browser.post(path, {
    ...formOn(theirs, path),
    name: 'Süd',
    deliveryServiceName: 'Lieferdienst',
  });
  expect(stale.status).toBe(400);
  expect(stale.text).toContain('Inzwischen hat jemand anderes gespeichert');
  expect(stale.text).toContain('value="Süd"');
  expect(await shopRow(shopId)).toMatchObject({ name: 'Nord', delivery_service_name: 'Flitzer' });
  const again = { ...formOn(stale, path), name: 'Süd', deliveryServiceName: 'Flitzer' };
  expect(await browser.post(path, again)).toMatchObject({ status: 303 });
  const refused = await browser.submit(path, { name: 'x'.repeat(201), deliveryServiceName: 'Versand' });
  expect(refused.status).toBe(400);
  expect(refused.text.match(/class="fault"/g)).toHaveLength(2);
  expect(await actionsOf(shopId)).toMatchObject([
    { action: 'shop.updated', fields: '["name","delivery_service_name"]' },
    { action: 'shop.updated', fields: '["name"]' },
  ]);
});

test('where a shop is and when it is open is kept as typed and emptied again; what nobody can dial or read is refused', async () => {
  const { browser, path, shopId } = await openOwned();
  const save = async (typed: Record<string, string>) =>
    browser.post(path, { ...formOn(await browser.get(path), path), ...typed });
  const place = { street: ' Lindenstraße 80 ', postalCode: '10969', city: 'Berlin', phone: '+49 30 5557-1200' };
  expect((await save({ ...place, openingHours: 'Mo–Fr 8–18 Uhr' })).status).toBe(303);
  expect(await shopRow(shopId)).toMatchObject({
    ...{ street: 'Lindenstraße 80', postal_code: '10969', city: 'Berlin', phone: '+49 30 5557-1200' },
    opening_hours: 'Mo–Fr 8–18 Uhr',
  });
  const wrong = { street: 'x'.repeat(101), postalCode: '1'.repeat(13), phone: '0800 APOTHEKE' };
  const refused = await save({ ...wrong, openingHours: 'x'.repeat(201) });
  expect(refused.status).toBe(400);
  expect(refused.text.match(/class="fault"/g)).toHaveLength(4);
  expect((await save({ street: '', postalCode: ' ', city: '', phone: '', openingHours: '' })).status).toBe(303);
  const empty = { street: null, postal_code: null, city: null, phone: null, opening_hours: null };
  expect(await shopRow(shopId)).toMatchObject(empty);
  const names = '["street","postal_code","city","phone","opening_hours"]';
  expect(await actionsOf(shopId)).toMatchObject(Array(2).fill({ action: 'shop.updated', fields: names }));
});

test('an inactive shop refuses order requests until it is active again; the confirm page says so first', async () => {
  const { browser, path, shopId, ...pharmacy } = await openOwned();
  const asked = await browser.get(`${path}/deactivate`);
  expect(asked.text).toContain('Shop „Mitte“ auf inaktiv schalten?');
  expect(asked.text).toContain('shop_inactive');
  for (let time = 0; time < 2; time += 1) {
    expect(await browser.submit(`${path}/deactivate`, {})).toMatchObject({ status: 303, location: path });
  }
  await problemOf(await submit({ ...pharmacy, shopId }, envelope()), 400, 'shop_inactive');
  expect((await browser.get(SHOPS)).text).toContain('Inaktiv');
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
  const before = await organizationForm(browser);
  const name = 'Löwen <script>alert(1)</script>';
  const answer = await browser.post(ORGANIZATION, {
    ...before,
    name,
    iban: ' de89 3704 0044 0532 0130 00 ',
    paymentRecipient: 'Löwen-Apotheke OHG',
    lowStockThreshold: '0',
    orderRetentionDays: '3653',
  });
  expect(answer).toMatchObject({ status: 303, location: ORGANIZATION });
  expect(await organizationRow(orgId)).toMatchObject({
    name,
    iban: IBAN,
    payment_recipient: 'Löwen-Apotheke OHG',
    low_stock_threshold: 0,
    request_retention_days: 90,
    order_retention_days: 3653,
  });
  const page = await browser.get(ORGANIZATION);
  expect(page.text).toContain('value="DE89 3704 0044 0532 0130 00"');
  expect(page.text).not.toContain('<script>alert');
  expect(await actionsOf(orgId)).toMatchObject([
    {
      action: 'organization.updated',
      fields: '["name","iban","payment_recipient","low_stock_threshold","order_retention_days"]',
    },
  ]);
  expect(await browser.post(ORGANIZATION, await organizationForm(browser))).toMatchObject({
    status: 303,
  });
  expect(await actionsOf(orgId)).toHaveLength(1);
});

test.each([
  ['name', '', 'Bitte einen Namen'],
  ['name', 'x'.repeat(201), 'Bitte einen Namen'],
  ['iban', 'DE88370400440532013000', 'Diese IBAN stimmt nicht'],
  ['paymentRecipient', 'x'.repeat(71), 'Höchstens 70 Zeichen'],
  ['lowStockThreshold', '-1', 'von 0 bis 1000000'],
  ['lowStockThreshold', '1e3', 'von 0 bis 1000000'],
  ['lowStockThreshold', '', 'von 0 bis 1000000'],
  ['requestRetentionDays', '6', 'Bestellanfragen: eine ganze Zahl von 7 bis 3653'],
  ['requestRetentionDays', '3654', 'Bestellanfragen: eine ganze Zahl von 7 bis 3653'],
  ['orderRetentionDays', '1826', 'Bestellungen: eine ganze Zahl von 1827 bis 10958'],
  ['orderRetentionDays', '10959', 'Bestellungen: eine ganze Zahl von 1827 bis 10958'],
])('an organization’s %s of %j is refused beside its field; what was typed stays', async (field, typed, message) => {
  const orgId = await openOrganization();
  const { browser } = await enter(orgId, 'owner');
  const before = await organizationRow(orgId);
  const page = await browser.post(ORGANIZATION, {
    ...(await organizationForm(browser)),
    name: 'Neu',
    [field]: typed,
  });
  expect(page.status).toBe(400);
  expect(page.text).toMatch(new RegExp(`id="${field}-fault">[^<]*${message}`));
  expect(formOn(page, ORGANIZATION)).toMatchObject({ [field]: typed });
  expect(await organizationRow(orgId)).toEqual(before);
});

test('all faults of the organization show at once', async ({ owner: { browser } }) => {
  const form = await organizationForm(browser);
  const page = await browser.post(ORGANIZATION, { ...form, iban: 'DE00', orderRetentionDays: '20' });
  expect(page.status).toBe(400);
  expect(page.text.match(/class="fault"/g)).toHaveLength(2);
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

test('nobody reaches another’s shops, or without the owner’s role or the form’s token', async ({ owned }) => {
  const { path, shopId, host } = owned;
  await operate(`/organizations/${owned.orgId}/shops/${shopId}/hosts`, { host: freshHost() });
  const [before, hosts] = [await shopRow(shopId), await hostsOf(shopId)];
  const pages = [path, `${path}/deactivate`, `${path}/hosts/${host}/remove`];
  const acts = [path, `${path}/deactivate`, `${path}/activate`, `${path}/hosts`, `${path}/hosts/${host}/remove`];
  const fields = { name: 'X', deliveryServiceName: 'X', host: freshHost(), status: 'active', seenAt: '0' };
  const stranger = await enter(await openOrganization(), 'owner');
  const people = [{ ...stranger, status: 404, own: [] as string[] }];
  for (const role of ['pharmacist', 'staff'] as const) {
    people.push({ ...(await enter(owned.orgId, role)), status: 403, own: [SHOPS, ORGANIZATION] });
  }
  for (const { browser, status, own } of people) {
    const { token, text } = await browser.get('/manage/account');
    if (status === 403) expect(text).not.toContain(SHOPS);
    for (const page of [...pages, ...own]) expect(await browser.get(page), page).toMatchObject({ status });
    for (const act of [...acts, ...own]) {
      expect(await browser.post(act, { form_token: token, ...fields }), act).toMatchObject({ status });
    }
  }
  for (const act of [...acts, SHOPS, ORGANIZATION]) {
    expect(await owned.browser.post(act, fields), act).toMatchObject({ status: 403 });
  }
  expect(await shopRow(shopId)).toEqual(before);
  expect(await hostsOf(shopId)).toEqual(hosts);
  const mine = await stranger.browser.get(SHOPS);
  expect(mine.text).toContain('Noch kein Shop');
  expect(await stranger.browser.get(`${path}/nowhere`)).toMatchObject({ status: 404 });
});

test('pages cost two round trips, forms three; with several databases, one more to add a host', async () => {
  const { browser, path, host } = await openOwned();
  const { token } = await browser.get(path);
  const form = await organizationForm(browser);
  const details = formOn(await browser.get(path), path);
  const costs: Record<string, number> = {};
  const cost = async (name: string, work: () => Promise<unknown>) => {
    costs[name] = (await costOf(work)).roundTrips;
  };
  await cost('shops', () => browser.get(SHOPS));
  await cost('shop', () => browser.get(path));
  await cost('remove?', () => browser.get(`${path}/hosts/${host}/remove`));
  await cost('organization', () => browser.get(ORGANIZATION));
  await cost('save', () => browser.post(ORGANIZATION, { ...form, name: 'Neu' }));
  await cost('rename', () => browser.post(path, { ...details, name: 'Neu', deliveryServiceName: 'Neu' }));
  await cost('open', () => browser.post(SHOPS, { form_token: token, name: 'Neu', host: freshHost() }));
  await cost('add', () => browser.post(`${path}/hosts`, { form_token: token, host: freshHost() }));
  await cost('taken', () => browser.post(`${path}/hosts`, { form_token: token, host }));
  await cost('deactivate', () => browser.post(`${path}/deactivate`, { form_token: token }));
  await cost('remove', () => browser.post(`${path}/hosts/${host}/remove`, { form_token: token, status: 'active' }));
  expect(costs).toEqual({
    shops: 2,
    shop: 2,
    'remove?': 2,
    organization: 2,
    save: 3,
    rename: 3,
    open: 4,
    add: 4,
    taken: 4,
    deactivate: 2,
    remove: 2,
  });
});
