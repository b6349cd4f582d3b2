import { enter } from '../management/browser';
import { unescaped } from '../support/html';
import { approve, getOrder, getRequest } from '../support/order-flow';
import {
  type Answer,
  attach,
  callApi,
  expectProblem,
  holdProduct,
  type OrganizationApi,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { ask } from '../support/platform';
import { expect, test } from '../support/test';
import { operate, rows } from '../support/world';

interface Flagged {
  available?: boolean;
  available_for_pickup?: boolean;
  available_for_shipping?: boolean;
}

/** A product of a category of its own, with these flags. */
async function productWith(api: OrganizationApi, flags: Flagged = {}, category = 'Cannabisblüten') {
  const product = await holdProduct(api, { category });
  if (Object.keys(flags).length > 0) {
    succeeded(await callApi(api, 'PUT', `/products/${product.p1_id}`, { body: flags }));
  }
  return product;
}

const RULE = {
  category: 'cannabisblüten',
  shipping: 'versand',
  effect: 'blocks',
  text: 'Blüten werden nicht versendet.',
};
const setRules = (api: OrganizationApi, shipping_rules: object[]) =>
  operate(`/organizations/${api.orgId}`, { shipping_rules }, 'PATCH');
const patchShop = (api: OrganizationApi, body: object) =>
  operate<Record<string, unknown>>(`/organizations/${api.orgId}/shops/${api.shopId}`, body, 'PATCH');

type Product = Awaited<ReturnType<typeof productWith>>;

function submitted(api: OrganizationApi, { p1_id, name, price }: Product, shipping_option: string): Promise<Answer> {
  const address = { address_street: 'Heidestraße 17', address_postal_code: '51147', address_city: 'Köln' };
  const payload = { customer_name: 'Erika Mustermann', ...address, payment_status: 'paid', shipping_option };
  const body = { shop_id: api.shopId, payload: { ...payload, items: [{ name, p1_id, quantity: 1, price }] } };
  return callApi(api, 'POST', '/order-requests', { body });
}

const codesOf = (list: { code: string }[]) => list.map(({ code }) => code);

test.each([
  [{ available: false }, 'Abholung', 'not_available'],
  [{ available_for_pickup: false }, 'Abholung', 'not_available_for_pickup'],
  [{ available_for_shipping: false }, 'Versand', 'not_available_for_shipping'],
  [{ available_for_shipping: false }, 'Express', 'not_available_for_shipping'],
])('a product with %j warns for %s and stops the approval until there is a reason', async (flags, option, code) => {
  const api = await openOrganizationApi();
  const product = await productWith(api, flags);
  const sent = succeeded(await submitted(api, product, option));
  expect(sent.warnings).toMatchObject([{ code, pointer: '/payload/items/0', p1_id: product.p1_id }]);
  const refused = await approve(api, sent.id);
  expectProblem(refused, 409, 'not_approvable');
  expect(refused.body.blockers).toMatchObject([{ code, pointer: '/lines/0', overridable: true }]);
  succeeded(await approve(api, sent.id, { override_reason: 'Ärztlich abgesprochen' }));
});

test('flags and rules are silent for the options that they are not about', async ({ api }) => {
  await setRules(api, [RULE]);
  const product = await productWith(api, { available_for_shipping: false });
  const { id, warnings } = succeeded(await submitted(api, product, 'Abholung'));
  expect(warnings).toEqual([]);
  succeeded(await approve(api, id));
});

test('a rule holds for the kind of the option, in its days, and blocks or only warns', async ({ api }) => {
  const product = await productWith(api);
  const warnedFor = async (option: string) => {
    const { id, warnings } = succeeded(await submitted(api, product, option));
    return { warned: codesOf(warnings), blocked: codesOf((await getRequest(api, id)).blockers) };
  };
  const quiet = { warned: [], blocked: [] };
  const blocked = { warned: ['rule_blocks'], blocked: ['rule_blocks'] };
  await setRules(api, [RULE]);
  expect(await warnedFor('Versand')).toEqual(blocked);
  expect(await warnedFor('Express')).toEqual(quiet);
  const shop = await patchShop(api, { shipping_kinds: { Express: 'versand' } });
  expect(shop.shipping_kinds).toEqual({ Express: 'versand', Lieferdienst: 'bote' });
  expect(await warnedFor('Express')).toEqual(blocked);
  await setRules(api, [{ ...RULE, effect: 'warns' }]);
  expect(await warnedFor('Versand')).toEqual({ warned: ['rule_warns'], blocked: [] });
  await setRules(api, [{ ...RULE, from: '2099-01-01' }]);
  expect(await warnedFor('Versand')).toEqual(quiet);
  await setRules(api, [{ ...RULE, to: '2020-01-01' }]);
  expect(await warnedFor('Versand')).toEqual(quiet);
});

test('another shipping option asks again, and the rules once more before it leaves', async ({ api }) => {
  const product = await productWith(api, { available_for_shipping: false });
  const { id } = succeeded(await submitted(api, product, 'Abholung'));
  const { order_id } = succeeded(await approve(api, id));
  const patch = (body: object) => callApi(api, 'PATCH', `/orders/${order_id}`, { body });
  const refused = await patch({ shipping_option: 'Versand' });
  expectProblem(refused, 409, 'shipping_blocked');
  expect(refused.body.blockers).toMatchObject([{ code: 'not_available_for_shipping', pointer: '/items/0' }]);
  succeeded(await patch({ shipping_option: 'Versand', override_reason: 'Patientin bettlägerig' }));
  expect(await rows('select text from staff_notes where order_id = ?', order_id)).toEqual([
    { text: 'Patientin bettlägerig' },
  ]);
  succeeded(await patch({ status: 'ready_shipping' }));
  // The flag is not asked again; a rule that came since is.
  await setRules(api, [RULE]);
  const leaving = await patch({ status: 'shipped' });
  expectProblem(leaving, 409, 'shipping_blocked');
  expect(leaving.body.blockers).toMatchObject([{ code: 'rule_blocks', message: RULE.text, rule: { text: RULE.text } }]);
  succeeded(await patch({ status: 'shipped', override_reason: 'Mit dem Amt abgesprochen' }));
});

test('staff change the shipping option until somebody packs it, with a reason where something speaks against it', async ({
  api,
}) => {
  await setRules(api, [RULE]);
  const product = await productWith(api, { available_for_shipping: false });
  const { id } = succeeded(await submitted(api, product, 'Abholung'));
  const { order_id } = succeeded(await approve(api, id));
  const path = `/manage/orders/${order_id}`;
  const { browser } = await enter(api.orgId, 'staff');
  expect((await browser.get(path)).text).toContain(`${path}/shipping`);
  const { text } = await browser.get(`${path}/shipping`);
  const seen = /name="seen" value="(\d{13})"/.exec(text)?.[1] ?? '';
  const change = (typed: object) => browser.submit(`${path}/shipping`, { seen, ...typed }, `${path}/shipping`);
  const asked = await change({ shipping_option: 'Versand', override_reason: '' });
  expect(asked.status).toBe(400);
  expect(unescaped(asked.text)).toContain(`${product.name}: Nicht zum Versand · ${product.name}: ${RULE.text}`);
  expect(asked.text).toMatch(/value="Versand" checked/);
  for (const shipping_option of ['Ballon', '']) {
    const refused = await change({ shipping_option, override_reason: '' });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Bitte ausfüllen: Lieferart.')]);
  }
  expect((await change({ shipping_option: 'Versand', override_reason: 'x'.repeat(1001) })).status).toBe(400);
  expect((await change({ shipping_option: 'Versand', override_reason: 'Bettlägerig' })).status).toBe(303);
  expect(await getOrder(api, order_id as string)).toMatchObject({ shipping_option: 'Versand' });
  expect(await rows('select text from staff_notes where order_id = ?', order_id)).toEqual([{ text: 'Bettlägerig' }]);
  expect((await change({ shipping_option: 'Express', override_reason: 'Eilig' })).status).toBe(409);
  succeeded(await callApi(api, 'PATCH', `/orders/${order_id}`, { body: { status: 'ready_shipping' } }));
  expect((await browser.get(path)).text).not.toContain(`${path}/shipping`);
  expect((await browser.get(`${path}/shipping`)).status).toBe(303);
});

test('other names of an option are taken, and stay with it when the shop renames its delivery service', async ({
  api,
}) => {
  const product = await productWith(api);
  expectProblem(await submitted(api, product, 'UPS'), 400, 'unknown_shipping_option');
  const shop = await patchShop(api, { shipping_aliases: { UPS: 'Versand', Flitzer: 'Lieferdienst' } });
  expect(shop.shipping_aliases).toEqual({ UPS: 'Versand', Flitzer: 'Lieferdienst' });
  const optionOf = async (option: string) => {
    const { id } = succeeded(await submitted(api, product, option));
    return (await getRequest(api, id)).shipping_option;
  };
  expect([await optionOf('ups'), await optionOf(' FLITZER ')]).toEqual(['Versand', 'Lieferdienst']);
  await rows("update shops set delivery_service_name = 'Rad' where id = ?", api.shopId);
  expect(await optionOf('Flitzer')).toBe('Rad');
  await expect(patchShop(api, { shipping_aliases: { UPS: 'Rakete' } })).rejects.toThrow('unknown_shipping_option');
  await expect(patchShop(api, { shipping_aliases: { express: 'Versand' } })).rejects.toThrow('shipping_option_taken');
  const twice = patchShop(api, { shipping_aliases: { ups: 'Versand', UPS: 'Express' } });
  await expect(twice).rejects.toThrow('shipping_option_taken');
  await expect(patchShop(api, { shipping_kinds: { Versand: 'bote' } })).rejects.toThrow('unknown_shipping_option');
});

test('a platform sees by which options a product may be ordered', async ({ seller }) => {
  const [kept, ruled] = [
    await productWith(seller, { available_for_shipping: false }, 'Andere'),
    await productWith(seller),
  ];
  for (const { p1_id } of [kept, ruled]) await attach(seller, p1_id);
  await setRules(seller, [RULE]);
  const { data } = succeeded(await ask(seller, 'GET', '/products'));
  const optionsOf = (p1Id: string) => data.find(({ p1_id }: { p1_id: string }) => p1_id === p1Id).shipping_options;
  expect(optionsOf(kept.p1_id)).toEqual(['Abholung']);
  expect(optionsOf(ruled.p1_id)).toEqual(['Abholung', 'Express', 'Lieferdienst']);
});
