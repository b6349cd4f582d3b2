import { newId } from '../../src/platform/ids';
import { MINUTE_MS } from '../../src/platform/time';
import { enter } from '../management/browser';
import { cronAt } from '../support/invocations';
import { approve, atOnce, deleteRequest, eventsAfter, getRequest, reject, requestRow } from '../support/order-flow';
import { attachNewProduct, callApi, expectProblem, holdProduct, succeeded } from '../support/organization';
import { ask, expectReservedAsHeld, statusOf, withdraw } from '../support/platform';
import { type Accepted, accepted, doctoredDb, meteredDb } from '../support/probe';
import { auditOf } from '../support/rows';
import type { Seller } from '../support/seller';
import { afterEach, describe, expect, test } from '../support/test';
import { envelope, ONE_DATABASE, rows, submit } from '../support/world';

afterEach(async () => {
  await expectReservedAsHeld();
});

/** A shop that reserves for its platform. */
async function reserving(seller: Seller, key: { reserve_share?: number; stock_shown?: string } = {}) {
  await rows('update shops set reserve_pending_minutes = 30, reserve_paid_minutes = 4320 where id = ?', seller.shopId);
  const { reserve_share = null, stock_shown = 'none' } = key;
  const set = 'update api_keys set reserves = 1, reserve_share = ?, stock_shown = ? where id = ?';
  await rows(set, reserve_share, stock_shown, keyIdOf(seller));
}

const keyIdOf = ({ integrationKey }: Seller) => integrationKey.split('_')[1] ?? '';

type Product = { p1_id: string; price: number };

function order(product: Product, quantity: number, payload: Record<string, unknown> = {}) {
  const items = [{ p1_id: product.p1_id, quantity, price: product.price }];
  return envelope(
    { payment_status: 'paid', items, shipping_option: 'Abholung', ...payload },
    { external_reference: newId() },
  );
}

async function reserve(seller: Seller, product: Product, quantity: number, payload = {}) {
  return accepted(await submit(seller, order(product, quantity, payload))) as Promise<Accepted & Reserved>;
}

interface Reserved {
  reserved_until: string | null;
  items: { reserved_quantity: number }[];
  warnings: { code: string }[];
}

async function stockOf(seller: Seller, p1Id: string): Promise<unknown[]> {
  const { data } = succeeded(await callApi(seller, 'GET', '/inventory'));
  const row = data.find((each: Product) => each.p1_id === p1Id);
  return [row.stock_quantity, row.committed_quantity, row.reserved_quantity, row.on_hand];
}

describe('a submission that reserves', () => {
  test('holds its items for the time of its payment, with one event and one row of the ledger', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 10 });
    const before = Date.now();
    const happened = await eventsAfter(seller.orgId, async () => {
      const paid = await reserve(seller, product, 4);
      expect(paid).toMatchObject({
        items: [{ p1_id: product.p1_id, quantity: 4, reserved_quantity: 4 }],
        warnings: [],
      });
      expect(Date.parse(paid.reserved_until ?? '') - before).toBeGreaterThanOrEqual(4320 * MINUTE_MS);
      expect(succeeded(await statusOf(seller, paid.id))).toMatchObject({ reserved_until: paid.reserved_until });
    });
    expect(happened.filter(({ type }) => type === 'product_updated')).toMatchObject([
      { metadata: { changed_fields: ['stock_quantity'], stock_quantity: 6, reserved_quantity: 4, on_hand: 10 } },
    ]);
    const pending = await reserve(seller, product, 1, { payment_status: 'pending' });
    expect(Date.parse(pending.reserved_until ?? '') - before).toBeLessThan(31 * MINUTE_MS);
    expect(await stockOf(seller, product.p1_id)).toEqual([5, 0, 5, 10]);
    const { data } = succeeded(await callApi(seller, 'GET', `/inventory/${product.p1_id}/log`));
    expect(data.map(({ reason, delta }: { reason: string; delta: number }) => [reason, delta])).toEqual([
      ['reserved', -1],
      ['reserved', -4],
      ['initial', 10],
    ]);
  });

  test('says to the pharmacy what is reserved of each item, and until when', async ({ seller }) => {
    await reserving(seller);
    const flowers = await holdProduct(seller, { stock: 5, unit: 'g', name: 'Wedding Cake' });
    const { id, reserved_until } = await reserve(seller, flowers, 7);
    const expected = { reserved_until, items: [{ quantity: 7, reserved_quantity: 5 }] };
    expect(await getRequest(seller, id)).toMatchObject(expected);
    expect(succeeded(await callApi(seller, 'GET', '/order-requests')).data).toMatchObject([expected]);
    const { browser } = await enter(seller.orgId, 'owner');
    expect((await browser.get(`/manage/requests/${id}`)).text).toMatch(/5 g Wedding Cake/);
    succeeded(await reject(seller, id));
    const ended = { reserved_until: null, items: [{ quantity: 7, reserved_quantity: 0 }] };
    expect(await getRequest(seller, id)).toMatchObject(ended);
  });

  test('is told what is not there, and the same again when it is repeated', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 3 });
    const body = order(product, 5);
    const first = (await accepted(await submit(seller, body))) as Accepted & Reserved;
    expect(first).toMatchObject({ items: [{ quantity: 5, reserved_quantity: 3 }] });
    expect(first.warnings).toMatchObject([
      { code: 'insufficient_stock', pointer: '/payload/items/0', requested: 5, reserved_quantity: 3 },
    ]);
    expect(await accepted(await submit(seller, body))).toEqual(first);
    expect(await stockOf(seller, product.p1_id)).toEqual([0, 0, 3, 3]);
  });

  test('is answered alike under its idempotency key', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 3 });
    const asking = { body: order(product, 5), headers: { 'Idempotency-Key': newId() } };
    const first = succeeded(await ask(seller, 'POST', '/external-order', asking));
    expect(succeeded(await ask(seller, 'POST', '/external-order', asking))).toEqual(first);
  });

  test('of two at once for the last five one has them, and the other is told', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    const both = await atOnce(
      () => reserve(seller, product, 5),
      () => reserve(seller, product, 5),
    );
    expect(both.map(({ items }) => items[0]?.reserved_quantity).toSorted()).toEqual([0, 5]);
    expect(both.flatMap(({ warnings }) => warnings.map(({ code }) => code))).toEqual(['insufficient_stock']);
  });

  test('that becomes paid under its reference takes the longer time', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    const pending = order(product, 2, { payment_status: 'pending' });
    const first = (await accepted(await submit(seller, pending))) as Accepted & Reserved;
    const paid = { ...pending, payload: { ...pending.payload, payment_status: 'paid', payment_reference: 'PAY-1' } };
    const second = (await accepted(await submit(seller, paid))) as Accepted & Reserved;
    expect(second).toMatchObject({ id: first.id, status: 'pending', items: [{ reserved_quantity: 2 }] });
    const gained = Date.parse(second.reserved_until ?? '') - Date.parse(first.reserved_until ?? '');
    expect(gained).toBeGreaterThan(4000 * MINUTE_MS);
    expect(await accepted(await submit(seller, paid))).toEqual(second);
    expect(await requestRow(first.id)).toMatchObject({ payment_status: 'paid', payment_reference: 'PAY-1' });
    // Neither back, nor with other items.
    expect((await submit(seller, pending)).status).toBe(409);
    const other = { ...paid, payload: { ...paid.payload, customer_name: 'Somebody else' } };
    expect((await submit(seller, other)).status).toBe(409);
    expect(await stockOf(seller, product.p1_id)).toEqual([3, 0, 2, 5]);
  });

  test('that becomes paid by two submissions at once answers both alike', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    const pending = order(product, 2, { payment_status: 'pending' });
    const { id } = await accepted(await submit(seller, pending));
    const paid = { ...pending, payload: { ...pending.payload, payment_status: 'paid', payment_reference: 'PAY-1' } };
    // Neither records the payment (the third round trip) before both have read the pending request.
    const hasRead = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const databases = hasRead.map(({ resolve }) =>
      doctoredDb(async (trip, run) => {
        if (trip !== 3) return run();
        resolve();
        await Promise.all(hasRead.map(({ promise }) => promise));
        return run();
      }),
    );
    const both = await Promise.all(
      databases.map(async (DB) => accepted(await submit({ ...seller, env: ONE_DATABASE }, paid, { DB }))),
    );
    expect(both[0]).toEqual(both[1]);
    expect(both[0]).toMatchObject({ id, status: 'pending' });
    expect(await requestRow(id)).toMatchObject({ payment_status: 'paid', payment_reference: 'PAY-1' });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['order_request.paid']);
  });

  test('holds a share of what is free, all requests of its key together', async ({ seller }) => {
    await reserving(seller, { reserve_share: 50 });
    const product = await holdProduct(seller, { stock: 10 });
    const held = [await reserve(seller, product, 4), await reserve(seller, product, 4)];
    expect(held.map(({ items }) => items[0]?.reserved_quantity)).toEqual([4, 1]);
  });

  test('counts packs by their price, and reserves whole packs', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 12 });
    await rows('update inventory set unit_step = 5 where p1_id = ?', product.p1_id);
    const held = await reserve(seller, { ...product, price: product.price * 5 }, 3);
    expect(held.items).toMatchObject([{ quantity: 3, reserved_quantity: 2 }]);
    expect(await stockOf(seller, product.p1_id)).toEqual([2, 0, 10, 12]);
  });

  test('takes two round trips', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    const { DB, trips } = meteredDb();
    await accepted(await submit({ ...seller, env: ONE_DATABASE }, order(product, 2), { DB }));
    expect(trips.map(({ statements }) => statements)).toEqual([2, 11]);
    expect(trips[1]?.rowsWritten).toBeLessThanOrEqual(40);
  });

  test('says nothing of it where the key or the shop does not reserve', async ({ seller }) => {
    const product = await holdProduct(seller, { stock: 3 });
    expect(await reserve(seller, product, 5)).not.toHaveProperty('reserved_until');
    expect(await stockOf(seller, product.p1_id)).toEqual([3, 0, 0, 3]);
  });
});

describe('the end of a reservation', () => {
  test('an approval uses its own first, in two round trips and with one event', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    const { id } = await reserve(seller, product, 5);
    const happened = await eventsAfter(seller.orgId, async () => {
      const { DB, trips } = meteredDb();
      succeeded(await callApi(seller, 'POST', `/order-requests/${id}/approve`, { body: {}, env: { DB } }));
      expect(trips.filter(({ rowsWritten }) => rowsWritten > 0)).toHaveLength(1);
    });
    expect(happened.filter(({ type }) => /product|stock/.test(type))).toMatchObject([
      { type: 'product_updated', metadata: { stock_quantity: 0, committed_quantity: 5, reserved_quantity: 0 } },
    ]);
    expect(await stockOf(seller, product.p1_id)).toEqual([0, 5, 0, 5]);
  });

  test('an approval of less frees the rest, and one of another product all', async ({ seller }) => {
    await reserving(seller);
    const [product, other] = [await holdProduct(seller, { stock: 5 }), await holdProduct(seller, { stock: 5 })];
    const [less, exchanged] = [await reserve(seller, product, 3), await reserve(seller, product, 2)];
    const lineOf = ({ p1_id, price }: Product, quantity: number) => ({ lines: [{ p1_id, quantity, price }] });
    succeeded(await approve(seller, less.id, { ...lineOf(product, 1), override_reason: 'fewer' }));
    expect(await stockOf(seller, product.p1_id)).toEqual([2, 1, 2, 5]);
    succeeded(await approve(seller, exchanged.id, { ...lineOf(other, 2), override_reason: 'other' }));
    expect(await stockOf(seller, product.p1_id)).toEqual([4, 1, 0, 5]);
  });

  test('nobody else can have what is reserved', async ({ seller }) => {
    const product = await holdProduct(seller, { stock: 5 });
    const before = await reserve(seller, product, 1);
    await reserving(seller);
    await reserve(seller, product, 5);
    expectProblem(await approve(seller, before.id), 409, 'not_approvable');
  });

  const ends = {
    rejection: (seller: Seller, id: string) => reject(seller, id),
    deletion: (seller: Seller, id: string) => deleteRequest(seller, id),
    withdrawal: (seller: Seller, id: string) => withdraw(seller, id),
    time: async () => cronAt(Date.now() + 4321 * MINUTE_MS),
  };

  test.for(Object.entries(ends))('%s gives back, with one event', async ([, end], { seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    const { id } = await reserve(seller, product, 5);
    if (end === ends.time) await rows('update reservations set until = 1 where order_request_id = ?', id);
    const happened = await eventsAfter(seller.orgId, async () => void (await end(seller, id)));
    expect(happened.filter(({ type }) => type === 'product_updated')).toMatchObject([
      { metadata: { stock_quantity: 5, reserved_quantity: 0 } },
    ]);
    expect(await stockOf(seller, product.p1_id)).toEqual([5, 0, 0, 5]);
    await end(seller, id);
    expect(await stockOf(seller, product.p1_id)).toEqual([5, 0, 0, 5]);
  });

  test('before its time the job keeps it', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 5 });
    await reserve(seller, product, 5);
    await cronAt(Date.now());
    expect(await stockOf(seller, product.p1_id)).toEqual([0, 0, 5, 5]);
  });

  test.for([
    [7, [1, 0, 6, 7]],
    [4, [0, 0, 4, 4]],
    [1, [0, 0, 1, 1]],
    [0, [0, 0, 0, 0]],
  ] as const)('a count of %i releases the newest first', async ([on_hand, left], { seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 10 });
    const first = await reserve(seller, product, 2);
    await reserve(seller, product, 4);
    succeeded(await callApi(seller, 'PATCH', `/inventory/${product.p1_id}`, { body: { on_hand } }));
    expect(await stockOf(seller, product.p1_id)).toEqual(left);
    const kept = await rows<{ quantity: number }>(
      'select quantity from reservations where order_request_id = ?',
      first.id,
    );
    expect(kept.map(({ quantity }) => quantity)).toEqual([Math.min(2, on_hand)].filter(Boolean));
  });

  test('a count and a removal write a row of the ledger for each request that they release', async ({ seller }) => {
    await reserving(seller);
    const product = await holdProduct(seller, { stock: 10 });
    const ids = [];
    for (const quantity of [2, 4, 3]) ids.push((await reserve(seller, product, quantity)).id);
    const path = `/inventory/${product.p1_id}`;
    const newest = async (limit: number) => {
      const found = await rows<Record<string, unknown>>(
        `select reason, order_request_id, stock_before, delta, reserved_delta, on_hand_delta, on_hand_after
          from stock_movements where p1_id = ? order by id desc limit ?`,
        ...[product.p1_id, limit],
      );
      return found.map((row) => Object.values(row));
    };
    succeeded(await callApi(seller, 'PATCH', path, { body: { on_hand: 5, reason: 'count' } }));
    expect(await newest(2)).toEqual([
      ['count', ids[1], 1, -1, -1, -2, 5],
      ['count', ids[2], 1, 0, -3, -3, 7],
    ]);
    const { id } = await reserve(seller, await holdProduct(seller, { stock: 1 }), 1);
    succeeded(await callApi(seller, 'DELETE', path));
    expect(await newest(2)).toEqual([
      ['removed', ids[0], 0, 0, -2, -2, 0],
      ['removed', ids[1], 0, 0, -3, -3, 2],
    ]);
    expect(await rows('select order_request_id from reservations where org_id = ?', seller.orgId)).toEqual([
      { order_request_id: id },
    ]);
  });
});

describe('what a key shows of the stock', () => {
  test.for([
    ['none', 9, {}],
    ['quantity', 9, { stock_quantity: 9 }],
    ['level', 9, { stock_level: 'many' }],
    ['level', 1, { stock_level: 'few' }],
  ] as const)('%s, with %i in stock', async ([stock_shown, stock, expected], { seller }) => {
    await reserving(seller, { stock_shown });
    await attachNewProduct(seller, { stock });
    const { data } = succeeded(await ask(seller, 'GET', '/products'));
    const { stock_quantity, stock_level } = data[0];
    expect({ stock_quantity, stock_level }).toEqual({ stock_quantity: undefined, stock_level: undefined, ...expected });
    const { updated_at } = data[0];
    expect(data[0]).toMatchObject({ unit: 'piece', unit_step: 1 });
    const since = (time: number) =>
      ask(seller, 'GET', '/products', { query: { updated_after: new Date(time).toISOString() } });
    expect(succeeded(await since(Date.parse(updated_at) - 1)).data).toHaveLength(1);
    expect(succeeded(await since(Date.parse(updated_at))).data).toEqual([]);
  });
});
