import { gtinCheckDigit } from '../../src/codes/numbers';
import { changeOrder } from '../../src/orders/change';
import { labelOf, packByHand, scanForOrder, shelveOrder, unpackLine } from '../../src/orders/packing/pack';
import { packedOf, progressOf, supplyKey } from '../../src/orders/rules';
import { arrive, scanArrival, splitLine } from '../../src/orders/supply/supply';
import type { Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import { dayOf } from '../../src/platform/pharmacy-time';
import { openOrder, orderBody, orderRow, patchOrder, setStatus, upsert } from '../support/order-flow';
import { type CatalogRow, holdProduct, newPzn, type OrganizationApi, succeeded } from '../support/organization';
import { auditOf } from '../support/rows';
import { staffContext } from '../support/staff-context';
import { test as base, describe, expect } from '../support/test';
import { rows } from '../support/world';

const GS = '\u001d';

interface Packing {
  id: string;
  number: number;
  /** Of which two packs were ordered. */
  two: CatalogRow;
  one: CatalogRow;
  scan: (text: string, seen?: number) => ReturnType<typeof scanForOrder>;
  ctx: Context;
}

async function openPacking(api: OrganizationApi): Promise<Packing> {
  const two = await holdProduct(api, { name: 'Ibuprofen 600 mg', pzn: newPzn() });
  const one = await holdProduct(api, { name: 'Pantoprazol 20 mg', pzn: newPzn() });
  const items = [two, one].map(({ p1_id, price }, index) => ({ p1_id, qty: 2 - index, price }));
  const { id } = await openOrder(api, { items });
  await setStatus(id, 'awaiting_packing');
  const ctx = staffContext(api.orgId);
  const { number } = await orderRow(id);
  return { id, number, two, one, ctx, scan: (text, seen) => scanForOrder(ctx, id, { text, seen: seen ?? null }) };
}

const test = base.extend('packing', ({ api }) => openPacking(api));

const pznOf = ({ pzn }: CatalogRow) => String(pzn);

/** The DataMatrix of a pack. */
function matrix(product: CatalogRow, serial: string, expires = '991231'): string {
  const ntin = `04150${pznOf(product)}`;
  return `01${ntin}${gtinCheckDigit(ntin)}17${expires}10A1${GS}21${serial}`;
}

async function progress(id: string) {
  const { items, packing } = await orderRow(id);
  return progressOf({ items: JSON.parse(items), packing: packing && JSON.parse(packing) });
}

async function refusalOf(run: Promise<unknown>): Promise<AppError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw new Error('it was not refused');
  return error;
}

async function packAll({ scan, two, one }: Packing) {
  for (const code of [matrix(two, 'S1'), matrix(two, 'S2'), matrix(one, 'S1')]) await scan(code);
}

describe('a scan', () => {
  test('ticks a pack of the line that lacks it, and the last one makes the order packed, in the log too', async ({
    packing,
  }) => {
    const { id, scan, two, one, ctx } = packing;
    expect(await scan(`-${pznOf(two)}`)).toEqual({ did: 'packed', name: 'Ibuprofen 600 mg', isLast: false });
    expect(await scan(matrix(one, 'X'))).toEqual({ did: 'packed', name: 'Pantoprazol 20 mg', isLast: false });
    expect(await progress(id)).toMatchObject({ packed: 2, packs: 3, open: [{ place: 0, missing: 1 }] });
    expect((await auditOf(id)).map(({ action }) => action)).not.toContain('order.packed');
    await scan(`ß${pznOf(two)}`);
    expect(await progress(id)).toMatchObject({ packed: 3, byHand: 0, open: [] });
    const [audit] = await auditOf(id, { action: 'order.packed' });
    expect(audit).toMatchObject({
      actor_kind: 'staff',
      actor_id: ctx.actor.kind === 'staff' ? ctx.actor.memberId : '',
    });
  });

  test('of a wrong pack is refused and names what was scanned and what is still open', async ({ api, packing }) => {
    const { id, number, scan } = packing;
    const wrong = await holdProduct(api, { name: 'Ibuprofen 400 mg', pzn: newPzn() });
    const refusal = await refusalOf(scan(matrix(wrong, 'S1')));
    expect(refusal).toMatchObject({
      code: 'wrong_pack',
      scanned: 'Ibuprofen 400 mg',
      isTooMany: false,
      orderNumber: number,
    });
    expect(refusal).toMatchObject({
      progress: {
        open: [
          { name: 'Ibuprofen 600 mg', missing: 2 },
          { name: 'Pantoprazol 20 mg', missing: 1 },
        ],
      },
    });
    expect(await progress(id)).toMatchObject({ packed: 0 });
  });

  test('of a pack that nobody knows is refused by its number', async ({ packing }) => {
    const pzn = newPzn();
    expect(await refusalOf(packing.scan(pzn))).toMatchObject({ code: 'wrong_pack', scanned: `PZN ${pzn}` });
    expect(await refusalOf(packing.scan('4006381333931'))).toMatchObject({ scanned: 'GTIN 04006381333931' });
    expect(await progress(packing.id)).toMatchObject({ packed: 0 });
  });

  test('of one pack more than the order has is refused', async ({ packing }) => {
    const { id, scan, one } = packing;
    await scan(matrix(one, 'S1'));
    expect(await refusalOf(scan(matrix(one, 'S2')))).toMatchObject({ code: 'wrong_pack', isTooMany: true });
    expect(await progress(id)).toMatchObject({ packed: 1 });
  });

  test('of the same pack twice counts once, whatever the case of its serial', async ({ packing }) => {
    const { id, scan, two } = packing;
    await scan(matrix(two, 'SER1'));
    for (const serial of ['SER1', 'ser1']) {
      expect(await refusalOf(scan(matrix(two, serial)))).toMatchObject({ code: 'pack_already_scanned' });
    }
    expect(await progress(id)).toMatchObject({ packed: 1 });
    await scan(matrix(two, 'SER2'));
    expect(await progress(id)).toMatchObject({ packed: 2 });
  });

  test('of the same pack at the same moment counts once', async ({ packing }) => {
    const { id, scan, two } = packing;
    const scans = await Promise.allSettled([scan(matrix(two, 'S1')), scan(matrix(two, 'S1')), scan(matrix(two, 'S1'))]);
    expect(scans.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await progress(id)).toMatchObject({ packed: 1 });
  });

  test('of two packs at the same moment counts both', async ({ packing }) => {
    const { id, scan, two } = packing;
    await Promise.all([scan(matrix(two, 'S1')), scan(matrix(two, 'S2'))]);
    expect(await progress(id)).toMatchObject({ packed: 2 });
  });

  test('without a serial counts once for a page that was sent twice', async ({ packing }) => {
    const { id, scan, two } = packing;
    await scan(pznOf(two), 0);
    expect(await refusalOf(scan(pznOf(two), 0))).toMatchObject({ code: 'changed_meanwhile' });
    expect(await progress(id)).toMatchObject({ packed: 1 });
    await scan(pznOf(two), 1);
    expect(await progress(id)).toMatchObject({ packed: 2 });
  });

  test('of a pack whose last day has passed is refused; on the last day it is not', async ({ packing }) => {
    const { id, scan, two } = packing;
    const today = dayOf(Date.now()).slice(2).replaceAll('-', '');
    expect(await refusalOf(scan(matrix(two, 'S1', '200131')))).toMatchObject({
      code: 'pack_expired',
      expires: '2020-01-31',
    });
    expect(await progress(id)).toMatchObject({ packed: 0 });
    await scan(matrix(two, 'S1', today));
    expect(await progress(id)).toMatchObject({ packed: 1 });
  });

  test('packs nothing while the order is on hold, or where nothing is packed', async ({ api, packing }) => {
    const { id, scan, ctx, two } = packing;
    const [item] = JSON.parse((await orderRow(id)).items);
    succeeded(await patchOrder(api, id, { on_hold: true }));
    expect(await refusalOf(scan(matrix(two, 'S1')))).toMatchObject({ code: 'on_hold' });
    expect(await refusalOf(packByHand(ctx, id, supplyKey({ items: [item] }, 0)))).toMatchObject({ code: 'on_hold' });
    succeeded(await patchOrder(api, id, { on_hold: false }));
    for (const status of ['awaiting_payment', 'shipped', 'picked_up', 'cancelled']) {
      await setStatus(id, status);
      expect(await refusalOf(scan(matrix(two, 'S1'))), status).toMatchObject({ code: 'not_being_packed' });
    }
    expect(await progress(id)).toMatchObject({ packed: 0 });
  });

  test('keeps no serial as it is, and none at all after the hand-over', async ({ api, packing }) => {
    await packAll(packing);
    const stored = (await orderRow(packing.id)).packing;
    expect(stored).not.toContain('S1');
    expect(JSON.parse(stored)[0].serials).toHaveLength(2);
    for (const status of ['ready_pickup', 'picked_up']) succeeded(await patchOrder(api, packing.id, { status }));
    const after = JSON.parse((await orderRow(packing.id)).packing);
    expect(after.map(({ scanned, serials }: { scanned: number; serials: string[] }) => [scanned, serials])).toEqual([
      [2, []],
      [1, []],
    ]);
  });
});

describe('a tick by hand', () => {
  test('completes its line, is noted as such with its person, and can be taken back', async ({ packing }) => {
    const { id, ctx, scan, two } = packing;
    const { items } = await orderRow(id);
    const key = supplyKey({ items: JSON.parse(items) }, 0);
    await scan(matrix(two, 'S1'));
    await packByHand(ctx, id, key);
    await packByHand(ctx, id, key);
    const stored = async () => packedOf({ packing: JSON.parse((await orderRow(id)).packing) }, 0);
    expect(await stored()).toMatchObject({ scanned: 1, byHand: 1, by: expect.any(String), at: expect.any(Number) });
    await unpackLine(ctx, id, key);
    expect(await stored()).toMatchObject({ scanned: 0, byHand: 0, serials: [] });
    // What was taken out may be scanned again.
    await scan(matrix(two, 'S1'));
    expect(await progress(id)).toMatchObject({ packed: 1 });
  });

  test('for a line that is another one by now is refused', async ({ api, packing }) => {
    const { id, ctx, two } = packing;
    const before = await orderRow(id);
    const key = supplyKey({ items: JSON.parse(before.items) }, 0);
    const body = orderBody(api, { external_id: before.external_id, items: [{ p1_id: two.p1_id, qty: 3, price: 1 }] });
    succeeded(await upsert(api, body));
    expect(await refusalOf(packByHand(ctx, id, key))).toMatchObject({ code: 'changed_meanwhile' });
    expect(await progress(id)).toMatchObject({ packed: 0 });
  });
});

describe('an order whose lines change', () => {
  test('keeps what is packed of the same product, as many as are still wanted, and lacks the rest', async ({
    api,
    packing,
  }) => {
    const { id, ctx, two, one } = packing;
    await packAll(packing);
    await setStatus(id, 'ready_pickup');
    const change = async (items: unknown[]) => {
      const { external_id } = await orderRow(id);
      succeeded(await upsert(api, orderBody(api, { external_id, items })));
    };
    await change([
      { p1_id: one.p1_id, qty: 1, price: 1 },
      { p1_id: two.p1_id, qty: 3, price: 1 },
    ]);
    expect(await progress(id)).toMatchObject({ packed: 3, packs: 4, open: [{ place: 1, missing: 1 }] });
    // It was ready, and staff still do not hand over what is missing.
    expect(await refusalOf(step(ctx, id, 'picked_up'))).toMatchObject({ code: 'not_packed' });
    await change([{ p1_id: two.p1_id, qty: 1, price: 1 }]);
    expect(await progress(id)).toMatchObject({ packed: 0, packs: 1 });
  });
});

async function step(ctx: Context, id: string, status: 'ready_pickup' | 'ready_shipping' | 'shipped' | 'picked_up') {
  return changeOrder(ctx, id, {
    status,
    cashReceived: status === 'picked_up' ? true : undefined,
    unpaidReason: 'other',
    isAddressKnown: true,
  });
}

describe('staff', () => {
  test('make nothing ready and send nothing that is not packed whole; a program does as it always did', async ({
    api,
    packing,
  }) => {
    const { id, ctx, scan, two, one } = packing;
    await scan(matrix(two, 'S1'));
    await scan(matrix(one, 'S1'));
    const refusal = await refusalOf(step(ctx, id, 'ready_pickup'));
    expect(refusal).toMatchObject({ code: 'not_packed', progress: { packed: 2, packs: 3 } });
    await setStatus(id, 'awaiting_packing', 'Versand');
    expect(await refusalOf(step(ctx, id, 'ready_shipping'))).toMatchObject({ code: 'not_packed' });
    await setStatus(id, 'ready_shipping', 'Versand');
    expect(await refusalOf(step(ctx, id, 'shipped'))).toMatchObject({ code: 'not_packed' });
    expect(await orderRow(id)).toMatchObject({ status: 'ready_shipping' });
    succeeded(await patchOrder(api, id, { status: 'shipped' }));
  });

  test('hand over what a program made ready without telling what it packed', async ({ packing, api }) => {
    succeeded(await patchOrder(api, packing.id, { status: 'ready_pickup' }));
    await step(packing.ctx, packing.id, 'picked_up');
    expect(await orderRow(packing.id)).toMatchObject({ status: 'picked_up', payment_status: 'paid' });
  });

  test('make nothing ready that is on hold', async ({ packing, api }) => {
    await packAll(packing);
    succeeded(await patchOrder(api, packing.id, { on_hold: true }));
    expect(await refusalOf(step(packing.ctx, packing.id, 'ready_pickup'))).toMatchObject({ code: 'on_hold' });
    succeeded(await patchOrder(api, packing.id, { status: 'ready_pickup' }));
  });

  test('pack anew what goes back to packing', async ({ packing, api }) => {
    await packAll(packing);
    await step(packing.ctx, packing.id, 'ready_pickup');
    succeeded(await patchOrder(api, packing.id, { status: 'awaiting_packing' }));
    expect(await orderRow(packing.id)).toMatchObject({ packing: null });
    expect(await refusalOf(step(packing.ctx, packing.id, 'ready_pickup'))).toMatchObject({ code: 'not_packed' });
  });

  test('ready and packed at the same moment as a line is taken back: never is an unpacked order ready', async ({
    packing,
  }) => {
    const { id, ctx } = packing;
    await packAll(packing);
    const key = supplyKey({ items: JSON.parse((await orderRow(id)).items) }, 0);
    await Promise.allSettled([step(ctx, id, 'ready_pickup'), unpackLine(ctx, id, key)]);
    const { status } = await orderRow(id);
    const { open } = await progress(id);
    // Taken back after it was ready, it is handed over to nobody.
    if (status === 'ready_pickup' && open.length > 0) {
      expect(await refusalOf(step(ctx, id, 'picked_up'))).toMatchObject({ code: 'not_packed' });
    } else expect(open.length === 0 || status === 'awaiting_packing').toBe(true);
  });
});

describe('what leaves unpaid or without an address', () => {
  test('is sent only after both answers, by staff', async ({ packing }) => {
    const { id, ctx } = packing;
    await packAll(packing);
    await setStatus(id, 'ready_shipping', 'Versand');
    const ship = (answers: object) => changeOrder(ctx, id, { status: 'shipped', ...answers });
    expect(await refusalOf(ship({}))).toMatchObject({ code: 'address_missing' });
    expect(await refusalOf(ship({ unpaidReason: 'other' }))).toMatchObject({ code: 'address_missing' });
    expect(await refusalOf(ship({ isAddressKnown: true }))).toMatchObject({ code: 'payment_open' });
    expect(await orderRow(id)).toMatchObject({ status: 'ready_shipping' });
    await ship({ isAddressKnown: true, unpaidReason: 'on_account' });
    expect(await orderRow(id)).toMatchObject({ status: 'shipped', unpaid_reason: 'on_account' });
    expect(await auditOf(id, { reason_code: 'on_account' })).toHaveLength(1);
  });
});

describe('a label', () => {
  const labelFor = async (id: string) => {
    const { shop_id, number } = await orderRow(id);
    return labelOf({ shopId: shop_id, number });
  };

  test('of the order itself ends packing, and not before all is packed', async ({ packing }) => {
    const { id, scan } = packing;
    const label = await labelFor(id);
    expect(await refusalOf(scan(label))).toMatchObject({ code: 'not_packed' });
    await packAll(packing);
    expect(await scan(label)).toEqual({ did: 'ready' });
    expect(await orderRow(id)).toMatchObject({ status: 'ready_pickup' });
    expect(await scan(label)).toEqual({ did: 'leaving', by: 'hand-over' });
    expect(await orderRow(id)).toMatchObject({ status: 'ready_pickup' });
  });

  test('of another order changes neither of them, and asks where packing has begun', async ({ api, packing }) => {
    const { id, scan, two } = packing;
    const other = await openOrder(api);
    const label = await labelFor(other.id);
    const scanned = { did: 'other_label', order: { id: other.id } };
    const before = [await orderRow(id), await orderRow(other.id)];
    expect(await scan(label)).toMatchObject({ ...scanned, isUnfinished: false });
    expect([await orderRow(id), await orderRow(other.id)]).toEqual(before);
    await scan(matrix(two, 'S1'));
    const begun = await orderRow(id);
    expect(await scan(label)).toMatchObject({ ...scanned, isUnfinished: true });
    expect([await orderRow(id), await orderRow(other.id)]).toEqual([begun, before[1]]);
  });

  test('of another pharmacy, with the same number, opens nothing', async ({ packing }) => {
    const [{ shop_id, number }] = [await orderRow(packing.id)];
    const foreign = labelOf({ shopId: `${shop_id.slice(0, -1)}${shop_id.endsWith('0') ? '1' : '0'}`, number });
    await packAll(packing);
    expect(await refusalOf(packing.scan(foreign))).toMatchObject({ code: 'unknown_code' });
    expect(await orderRow(packing.id)).toMatchObject({ status: 'awaiting_packing' });
  });
});

test('shelf and bags are kept with who said so, and the same again writes nothing', async ({ packing }) => {
  const { id, ctx } = packing;
  await shelveOrder(ctx, id, { shelf: 'B 7', bags: 2 });
  const row = await orderRow(id);
  expect(row).toMatchObject({ shelf: 'B 7', bags: 2 });
  await shelveOrder(ctx, id, { shelf: 'B 7', bags: 2 });
  expect(await orderRow(id)).toEqual(row);
  expect(await auditOf(id, { fields: '["shelf","bags"]' })).toHaveLength(1);
});

describe('a pack that left with a first part', () => {
  /** Two of the first product were ordered; one was packed by its serial and handed over. */
  async function handOverFirst({ id, scan, ctx, two, one }: Packing) {
    const later = async (place: number, quantity: number) => {
      const { items, supply } = await orderRow(id);
      const line = supplyKey({ items: JSON.parse(items), supply: supply && JSON.parse(supply) }, place);
      await splitLine(ctx, id, { line, quantity, expectedOn: dayOf(ctx.now()) });
    };
    await later(0, 1);
    await later(1, 1);
    await scan(matrix(two, 'S1'));
    await changeOrder(ctx, id, { status: 'ready_pickup' });
    await changeOrder(ctx, id, { status: 'picked_up', cashReceived: true, isPart: true });
    return { two, one };
  }

  test('is refused as the arrival of the rest, and as one of its packs', async ({ packing }) => {
    const { id, scan, ctx } = packing;
    const { two, one } = await handOverFirst(packing);
    const arrived = (text: string) => scanArrival(ctx, { text, last: null });
    expect(await refusalOf(arrived(matrix(two, 's1')))).toMatchObject({ code: 'pack_already_left' });
    expect(await arrived(matrix(one, 'S1'))).toMatchObject({ did: 'arrived' });
    const { items, supply } = await orderRow(id);
    const line = supplyKey({ items: JSON.parse(items), supply: JSON.parse(supply ?? '') }, 0);
    await arrive(ctx, id, { line, quantity: 1 });
    expect(await refusalOf(scan(matrix(two, 'S1')))).toMatchObject({ code: 'pack_already_left' });
    await scan(matrix(two, 'S2'));
    await changeOrder(ctx, id, { status: 'ready_pickup' });
    await changeOrder(ctx, id, { status: 'picked_up' });
    const { packing: packed, supply: ended } = await orderRow(id);
    expect(`${packed} ${ended}`).not.toMatch(/"serials":\["/);
  });

  test('counts once by the database, whatever the program does', async ({ packing }) => {
    await handOverFirst(packing);
    const again = `update orders set packing = json_array(supply -> '$[0]') where id = ?`;
    await expect(rows(again, packing.id)).rejects.toThrow('orders_serials');
  });
});
