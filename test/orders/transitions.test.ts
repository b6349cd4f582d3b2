import values from '../../scripts/reference/guides/values.md' with { type: 'text' };
import { addOrderPrescription } from '../../src/orders/change';
import { TRANSITIONS } from '../../src/orders/rules';
import { ORDER_STATUSES } from '../../src/orders/tables';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import {
  eventsAfter,
  getOrder,
  openOrder,
  orderMovements,
  patchOrder,
  setStatus,
  staffContext,
  stockOf,
} from '../support/order-flow';
import {
  callApi,
  expectProblem,
  footprint,
  holdProduct,
  openOrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { PDF_BASE64 } from '../support/world';

test('the reference lists the steps of each status', () => {
  for (const [from, to] of Object.entries(TRANSITIONS)) {
    if (to.length > 0) expect(values).toContain(`- \`${from}\` to ${to.map((step) => `\`${step}\``).join(', ')}\n`);
  }
});

// Which steps there are for each way of shipping is a unit test of the rules (rules.unit.test.ts).
test('an order takes the steps of its status, each with one event, and no other', async ({ api }) => {
  const { id } = await openOrder(api, { shipping_option: 'Versand' });
  for (const to of ORDER_STATUSES) {
    await setStatus(id, 'ready_shipping', 'Versand');
    const before = await footprint(api.orgId);
    const isAllowed = TRANSITIONS.ready_shipping.includes(to);
    const happened = await eventsAfter(api.orgId, async () => {
      const answer = await patchOrder(api, id, { status: to, ...(to === 'cancelled' && { reason_code: 'test' }) });
      if (isAllowed || to === 'ready_shipping') return expect(succeeded(answer)).toMatchObject({ status: to });
      expectProblem(answer, 409, 'invalid_transition');
      expect(answer.body).toMatchObject({ allowed: TRANSITIONS.ready_shipping, current_status: 'ready_shipping' });
    });
    const news = { order_id: id, old_status: 'ready_shipping', new_status: to };
    expect(happened).toEqual(isAllowed ? [{ type: 'order_status_updated', metadata: news }] : []);
    if (!isAllowed) expect(await footprint(api.orgId)).toEqual(before);
  }
});

test('the way of shipping that comes in the same call decides', async ({ api }) => {
  const { id } = await openOrder(api, { shipping_option: 'Abholung' });
  expectProblem(await patchOrder(api, id, { status: 'ready_shipping' }), 409, 'invalid_transition');
  const happened = await eventsAfter(api.orgId, async () =>
    succeeded(await patchOrder(api, id, { status: 'ready_shipping', shipping_option: 'Versand' })),
  );
  expect(happened).toEqual([
    {
      type: 'order_status_updated',
      metadata: { order_id: id, old_status: 'awaiting_packing', new_status: 'ready_shipping' },
    },
    { type: 'order_updated', metadata: { order_id: id, changed_fields: ['shipping_option'] } },
  ]);
});

describe('cancelling', () => {
  test('needs a reason', async ({ api, order: { id } }) => {
    const before = await footprint(api.orgId);
    const answer = await patchOrder(api, id, { status: 'cancelled' });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer: '/reason_code', code: 'required' }]);
    expectProblem(await patchOrder(api, id, { status: 'cancelled', reason_code: 'because' }), 400, 'validation_failed');
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('keeps the reason', async ({ api, order: { id } }) => {
    const order = succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'other' }));
    expect(order).toMatchObject({ status: 'cancelled', cancel_reason_code: 'other' });
    expect(await getOrder(api, id)).toEqual(order);
  });

  test('an order gives its stock back through the ledger, twice canceled once', async ({ api }) => {
    const product = await holdProduct(api, { stock: 10 });
    const items = [3, 4].map((qty) => ({ p1_id: product.p1_id, qty, price: 1 }));
    const { id } = await openOrder(api, { items });
    expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 3, ledger: 3 });
    for (let time = 0; time < 2; time += 1) {
      succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'customer_withdrew' }));
    }
    expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 10, ledger: 10 });
    expect(await orderMovements(api.orgId, product.p1_id)).toEqual([
      { delta: -7, reason: 'order', order_id: id },
      { delta: 7, reason: 'order_cancelled', order_id: id },
    ]);
  });

  test('gives nothing back to a product that left the inventory, and cancels all the same', async ({ api }) => {
    const [gone, kept] = [await holdProduct(api, { stock: 5 }), await holdProduct(api, { stock: 5 })];
    const items = [gone, kept].map(({ p1_id }) => ({ p1_id, qty: 2, price: 1 }));
    const { id } = await openOrder(api, { items });
    succeeded(await callApi(api, 'DELETE', `/inventory/${gone.p1_id}`));
    succeeded(await patchOrder(api, id, { status: 'cancelled', reason_code: 'out_of_stock' }));
    expect(await stockOf(api.orgId, kept.p1_id)).toEqual({ stock: 5, ledger: 5 });
    expect(await stockOf(api.orgId, gone.p1_id)).toBeUndefined();
  });
});

test('what is returned stays out of the stock', async ({ api }) => {
  const product = await holdProduct(api, { stock: 10 });
  const { id } = await openOrder(api, { items: [{ p1_id: product.p1_id, qty: 3, price: 1 }] });
  await setStatus(id, 'delivered');
  succeeded(await patchOrder(api, id, { status: 'returned' }));
  expect(await stockOf(api.orgId, product.p1_id)).toEqual({ stock: 7, ledger: 7 });
});

describe('a line that requires a prescription', () => {
  const openWaiting = async (api: Awaited<ReturnType<typeof openOrganizationApi>>) => {
    const { p1_id } = await holdProduct(api, { prescription_required: true });
    const order = await openOrder(api, { items: [{ p1_id, qty: 1, price: 1 }] });
    expect(order.status).toBe('awaiting_prescription');
    return order;
  };

  test.for(['awaiting_payment', 'awaiting_packing'])('keeps its order from %s until approved', async (to, { api }) => {
    const { id } = await openWaiting(api);
    const before = await footprint(api.orgId);
    expectProblem(await patchOrder(api, id, { status: to }), 409, 'prescription_not_approved');
    expect(await footprint(api.orgId)).toEqual(before);

    const { ctx } = staffContext(api.orgId);
    const filed = await addOrderPrescription(ctx, { id, bytes: fromBase64(PDF_BASE64) });
    expectProblem(await patchOrder(api, id, { status: to }), 409, 'prescription_not_approved');
    succeeded(await callApi(api, 'POST', `/prescriptions/${filed.id}/approve`, { body: {} }));
    expect(succeeded(await patchOrder(api, id, { status: to }))).toMatchObject({ status: to });
  });
});

describe('flags', () => {
  test.each<[string, Record<string, unknown>, string[], Record<string, unknown>]>([
    [
      'on_hold with its reason',
      { on_hold: true, hold_reason: 'Rückfrage' },
      ['on_hold'],
      { flags: { on_hold: true, express: false, archived: false }, hold_reason: 'Rückfrage' },
    ],
    [
      'all of them',
      { archived: true, express: true, on_hold: true },
      ['on_hold', 'express', 'archived'],
      { flags: { on_hold: true, express: true, archived: true } },
    ],
    [
      'as GET gives them',
      { flags: { on_hold: false, express: true, archived: true } },
      ['express', 'archived'],
      { flags: { on_hold: false, express: true, archived: true } },
    ],
    [
      'as GET gives them, and one beside them',
      { flags: { on_hold: true, express: false, archived: false }, on_hold: true, hold_reason: 'Rückfrage' },
      ['on_hold'],
      { flags: { on_hold: true, express: false, archived: false }, hold_reason: 'Rückfrage' },
    ],
  ])('%s: one event with equal statuses and the flags that changed', async (_, body, changed_flags, expected) => {
    const api = await openOrganizationApi();
    const { id, status } = await openOrder(api);
    const happened = await eventsAfter(api.orgId, async () => {
      const order = succeeded(await patchOrder(api, id, body));
      expect(order).toMatchObject(expected);
      expect(await getOrder(api, id)).toEqual(order);
    });
    const metadata = { order_id: id, old_status: status, new_status: status, changed_flags };
    expect(happened).toEqual([{ type: 'order_status_updated', metadata }]);
    expect(await eventsAfter(api.orgId, async () => succeeded(await patchOrder(api, id, body)))).toEqual([]);
  });

  test('the end of a hold takes its reason away', async ({ api, order: { id } }) => {
    succeeded(await patchOrder(api, id, { on_hold: true, hold_reason: 'Rückfrage' }));
    const happened = await eventsAfter(api.orgId, async () => {
      expect(succeeded(await patchOrder(api, id, { on_hold: false }))).toMatchObject({ hold_reason: null });
    });
    expect(happened.map(({ type }) => type)).toEqual(['order_status_updated']);
    expect((await getOrder(api, id)).hold_reason).toBeNull();
  });

  test('another reason for the same hold is a field', async ({ api, order: { id } }) => {
    succeeded(await patchOrder(api, id, { on_hold: true, hold_reason: 'Rückfrage' }));
    const happened = await eventsAfter(api.orgId, async () =>
      succeeded(await patchOrder(api, id, { on_hold: true, hold_reason: 'Adresse' })),
    );
    expect(happened).toEqual([{ type: 'order_updated', metadata: { order_id: id, changed_fields: ['hold_reason'] } }]);
  });

  test('together with a status are one event', async ({ api, order: { id } }) => {
    const happened = await eventsAfter(api.orgId, async () =>
      succeeded(await patchOrder(api, id, { status: 'ready_pickup', express: true })),
    );
    const metadata = {
      order_id: id,
      old_status: 'awaiting_packing',
      new_status: 'ready_pickup',
      changed_flags: ['express'],
    };
    expect(happened).toEqual([{ type: 'order_status_updated', metadata }]);
  });

  test('of an order that is over can still be set', async ({ api, order: { id } }) => {
    await setStatus(id, 'picked_up');
    succeeded(await patchOrder(api, id, { archived: true }));
  });
});

describe('fields', () => {
  /** Each field, another value for it, and where the answer shows it. */
  const FIELDS: [string, string, string][] = [
    ['note', 'Klingel defekt', 'note'],
    ['shipping_option', 'Versand', 'shipping_option'],
    ['customer_name', 'Max Muster', 'customer.name'],
    ['customer_email', 'max@example.com', 'customer.email'],
    ['address_street', 'Am Markt 2', 'address.street'],
    ['address_city', 'Köln', 'address.city'],
    ['address_postal_code', '50667', 'address.postal_code'],
    ['address_phone', '+49 221 1', 'address.phone'],
  ];

  test.for(FIELDS)('%s: one order_updated that names it, once', async ([name, value, path], { api }) => {
    const { id } = await openOrder(api);
    const news = [{ type: 'order_updated', metadata: { order_id: id, changed_fields: [name] } }];
    const change = (to: unknown) =>
      eventsAfter(api.orgId, async () => {
        const order = succeeded(await patchOrder(api, id, { [name]: to }));
        expect(order).toHaveProperty(path, to);
        expect(await getOrder(api, id)).toEqual(order);
      });
    expect(await change(value)).toEqual(news);
    expect(await change(value)).toEqual([]);
    expect(await change(null)).toEqual(news);
  });

  test('and status in one call are one event of each kind, and one audit row without values', async ({ api }) => {
    const { id } = await openOrder(api);
    const happened = await eventsAfter(api.orgId, async () =>
      succeeded(
        await patchOrder(api, id, { status: 'ready_pickup', on_hold: true, note: 'Klingel', address_city: 'Köln' }),
      ),
    );
    expect(happened).toEqual([
      {
        type: 'order_status_updated',
        metadata: {
          order_id: id,
          old_status: 'awaiting_packing',
          new_status: 'ready_pickup',
          changed_flags: ['on_hold'],
        },
      },
      { type: 'order_updated', metadata: { order_id: id, changed_fields: ['note', 'address_city'] } },
    ]);
    const [, change] = await auditOf(id);
    expect(change).toMatchObject({
      action: 'order.updated',
      actor_id: api.keyId,
      fields: '["status:ready_pickup","on_hold","note","address_city"]',
    });
    expect(JSON.stringify(change)).not.toMatch(/Klingel|Köln/);
  });

  test('that stand there already are 200 and write nothing', async ({ api }) => {
    const order = await openOrder(api, { shipping_option: 'Versand' });
    const before = await footprint(api.orgId);
    const body = {
      status: order.status,
      on_hold: false,
      express: false,
      archived: false,
      shipping_option: 'Versand',
      customer_name: order.customer.name,
      note: null,
    };
    expect(succeeded(await patchOrder(api, order.id, body))).toEqual(order);
    expect(await footprint(api.orgId)).toEqual(before);
    expect(await auditOf(order.id)).toHaveLength(1);
  });

  test.for([
    ['nothing', {}, 'validation_failed'],
    ['an unknown field', { items: [] }, 'validation_failed'],
    ['an unknown status', { status: 'packed' }, 'validation_failed'],
    ['a flag that is no boolean', { express: 'yes' }, 'validation_failed'],
    ['an e-mail that is none', { customer_email: 'erika' }, 'validation_failed'],
    ['a way to ship that the shop does not offer', { shipping_option: 'Brieftaube' }, 'unknown_shipping_option'],
  ] as const)('%s is a fault of the call', async ([_, body, code], { api, order: { id } }) => {
    const before = await footprint(api.orgId);
    expectProblem(await patchOrder(api, id, body), 400, code);
    expect(await footprint(api.orgId)).toEqual(before);
  });

  test('a delivery service that the order already has stays, whatever the shop calls it now', async ({ api }) => {
    const { id } = await openOrder(api);
    await setStatus(id, 'awaiting_packing', 'Radkurier');
    succeeded(await patchOrder(api, id, { shipping_option: 'Radkurier', note: 'bitte klingeln' }));
  });
});

describe('lists', () => {
  const list = async (api: Parameters<typeof callApi>[0], query: Record<string, string | number> = {}) => {
    const { data, next_cursor } = succeeded(await callApi(api, 'GET', '/orders', { query }));
    return { ids: data.map(({ id }: { id: string }) => id), next_cursor };
  };

  test('are filtered by status, shop and external_id', async ({ api }) => {
    const here = await openOrder(api, { external_id: 'A' });
    const there = await openOrder(api, { external_id: 'A', shop_id: api.otherShopId });
    const unpaid = await openOrder(api, { external_id: 'B', payment_status: 'pending' });
    expect((await list(api)).ids).toEqual([unpaid.id, there.id, here.id]);
    expect((await list(api, { status: 'awaiting_payment' })).ids).toEqual([unpaid.id]);
    expect((await list(api, { shop_id: api.otherShopId })).ids).toEqual([there.id]);
    expect((await list(api, { external_id: 'A' })).ids).toEqual([there.id, here.id]);
    expect((await list(api, { external_id: 'A', shop_id: api.shopId })).ids).toEqual([here.id]);
  });
});
