import { exchangeProduct } from '../../src/order-requests/substitution';
import { scanForOrder } from '../../src/orders/packing/pack';
import { PRESCRIPTION_CHECKED, type Substitution } from '../../src/orders/packing/substitute';
import { DifferencesOpen, supplyKey } from '../../src/orders/rules';
import type { Role } from '../../src/platform/access';
import type { Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';
import {
  approve,
  happenedIn,
  openOrder,
  openPrescribed,
  orderRow,
  patchOrder,
  requestRow,
  setStatus,
} from '../support/order-flow';
import {
  type CatalogRow,
  callApi,
  holdProduct,
  newPzn,
  type OrganizationApi,
  succeeded,
} from '../support/organization';
import { auditOf, rowOf } from '../support/rows';
import { staffContext } from '../support/staff-context';
import { test as base, describe, expect } from '../support/test';

const NAME = { name: 'Ibuprofen AL 600 mg Filmtabletten', price: 10 };

const test = base
  .extend('accepted', ({ api }) => holdProduct(api, { ...NAME, stock: 10, pzn: newPzn() }))
  .extend('other', ({ api }) =>
    holdProduct(api, { ...NAME, name: 'Ibuprofen Eurim 600 mg Filmtabletten', stock: 10, pzn: newPzn() }),
  )
  .extend('id', async ({ api, accepted }) => {
    const { id } = await openOrder(api, { items: [{ p1_id: accepted.p1_id, qty: 2, price: 10 }] });
    await setStatus(id, 'awaiting_packing');
    return id;
  })
  .extend('ctx', ({ api }) => staffContext(api.orgId));

const stockOf = async (org_id: string, { p1_id }: CatalogRow) =>
  (await rowOf('inventory', { org_id, p1_id })).stock_quantity;

async function substitutionOf(
  id: string,
  product: CatalogRow,
  more: Partial<Substitution> = {},
): Promise<Substitution> {
  const [item] = JSON.parse((await orderRow(id)).items);
  return {
    line: supplyKey({ items: [item] }, 0),
    p1Id: product.p1_id,
    quantity: item.quantity,
    reason: 'not_deliverable',
    acknowledged: [],
    ...more,
  };
}

async function refusalOf(run: Promise<unknown>): Promise<AppError> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AppError)) throw error ?? new Error('it was not refused');
  return error;
}

/** Exchanges, and acknowledges whatever is asked for. @returns the codes of that */
async function exchangeAll(ctx: Context, id: string, substitution: Substitution): Promise<string[]> {
  const refusal = await refusalOf(exchangeProduct(ctx, id, substitution));
  if (!(refusal instanceof DifferencesOpen)) throw refusal;
  await exchangeProduct(ctx, id, { ...substitution, acknowledged: refusal.differences.map(({ key }) => key) });
  return refusal.differences.map(({ code }) => code);
}

test('another product takes the line in one batch: name, price, stock of both, event, and it is packed anew', async ({
  api,
  ctx,
  id,
  accepted,
  other,
}) => {
  const before = [await stockOf(api.orgId, accepted), await stockOf(api.orgId, other)] as [number, number];
  await scanForOrder(ctx, id, { text: String(accepted.pzn), seen: null });
  await exchangeProduct(ctx, id, await substitutionOf(id, other));
  const row = await orderRow(id);
  expect(JSON.parse(row.items)).toMatchObject([
    { name: NAME.name, productName: other.name, p1Id: other.p1_id, quantity: 2 },
  ]);
  expect(JSON.parse(row.packing)).toMatchObject([{ scanned: 0, byHand: 0 }]);
  expect([await stockOf(api.orgId, accepted), await stockOf(api.orgId, other)]).toEqual([before[0] + 2, before[1] - 2]);
  expect((await happenedIn(api.orgId)).at(-1)).toMatchObject({ metadata: { order_id: id, changed_fields: ['items'] } });
  expect(await auditOf(id, { action: 'order.substituted' })).toMatchObject([{ reason_code: 'not_deliverable' }]);
  expect(await refusalOf(scanForOrder(ctx, id, { text: String(accepted.pzn), seen: null }))).toMatchObject({
    code: 'wrong_pack',
  });
  await scanForOrder(ctx, id, { text: String(other.pzn), seen: null });
});

test('what differs must be acknowledged, with the values that differ; other values need other ticks', async ({
  api,
  ctx,
  id,
}) => {
  const strong = await holdProduct(api, { name: 'Cetirizin 10 mg', price: 5, stock: 10 });
  const substitution = await substitutionOf(id, strong, { quantity: 1 });
  const before = await orderRow(id);
  const refusal = await refusalOf(exchangeProduct(ctx, id, substitution));
  expect(refusal).toBeInstanceOf(DifferencesOpen);
  const { differences } = refusal as DifferencesOpen;
  expect(differences.map(({ code }) => code)).toEqual(expect.arrayContaining(['total']));
  expect(differences.length).toBeGreaterThan(1);
  for (const { key } of differences) {
    const acknowledged = differences.map((each) => each.key).filter((each) => each !== key);
    expect(await refusalOf(exchangeProduct(ctx, id, { ...substitution, acknowledged }))).toBeInstanceOf(
      DifferencesOpen,
    );
  }
  expect(await orderRow(id)).toEqual(before);
  const acknowledged = differences.map(({ key }) => key);
  const more = { ...substitution, quantity: 3, acknowledged };
  expect(await refusalOf(exchangeProduct(ctx, id, more))).toBeInstanceOf(DifferencesOpen);
  await exchangeProduct(ctx, id, { ...substitution, acknowledged });
  expect(await orderRow(id)).toMatchObject({ total_cents: 500 });
});

test('a form that is sent twice exchanges once', async ({ api, ctx, id, other }) => {
  const substitution = await substitutionOf(id, other);
  const stock = await stockOf(api.orgId, other);
  await exchangeProduct(ctx, id, substitution);
  expect(await refusalOf(exchangeProduct(ctx, id, substitution))).toMatchObject({ code: 'changed_meanwhile' });
  expect(await stockOf(api.orgId, other)).toBe(stock - 2);
});

test('too little stock of the other product, one that is not held, a hold and an order that left change nothing', async ({
  api,
  ctx,
  id,
}) => {
  const scarce = await holdProduct(api, { ...NAME, stock: 1 });
  const before = await orderRow(id);
  expect(await refusalOf(exchangeProduct(ctx, id, await substitutionOf(id, scarce)))).toMatchObject({
    code: 'insufficient_stock',
  });
  const nobodys = { ...scarce, p1_id: 'P1-nobody' };
  expect(await refusalOf(exchangeProduct(ctx, id, await substitutionOf(id, nobodys)))).toMatchObject({
    code: 'product_not_in_inventory',
  });
  expect(await orderRow(id)).toEqual(before);
  succeeded(await patchOrder(api, id, { on_hold: true }));
  expect(await refusalOf(exchangeProduct(ctx, id, await substitutionOf(id, scarce)))).toMatchObject({
    code: 'on_hold',
  });
  succeeded(await patchOrder(api, id, { on_hold: false }));
  await setStatus(id, 'shipped');
  expect(await refusalOf(exchangeProduct(ctx, id, await substitutionOf(id, scarce)))).toMatchObject({
    code: 'not_being_packed',
  });
});

test('a paid order keeps its total: as many packs keep their price, and another quantity is refused', async ({
  api,
  ctx,
  id,
}) => {
  const dear = await holdProduct(api, { ...NAME, price: 10.5, stock: 10 });
  succeeded(await callApi(api, 'POST', `/orders/${id}/mark-paid`, { body: {} }));
  expect(await refusalOf(exchangeProduct(ctx, id, await substitutionOf(id, dear, { quantity: 1 })))).toMatchObject({
    code: 'total_is_paid',
  });
  await exchangeProduct(ctx, id, await substitutionOf(id, dear));
  expect(await orderRow(id)).toMatchObject({ total_cents: 2000, payment_status: 'paid' });
});

describe('a line on a prescription', () => {
  async function openPrescribedOrder(api: OrganizationApi) {
    const { id: requestId, product, prescriptionId } = await openPrescribed(api);
    succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: {} }));
    succeeded(await approve(api, requestId));
    const id = String((await requestRow(requestId)).order_id);
    await setStatus(id, 'awaiting_packing');
    return { id, product, prescriptionId };
  }
  const sameAs = (product: CatalogRow) => ({
    name: product.name,
    price: product.price,
    prescription_required: true,
    stock: 10,
  });
  const linesOf = async (id: string) => JSON.parse((await rowOf('prescriptions', { id })).approved_lines);

  test('is exchanged only by who may check prescriptions, whose tick says so; the prescription covers the other product then', async ({
    api,
  }) => {
    const { id, product, prescriptionId } = await openPrescribedOrder(api);
    const other = await holdProduct(api, sameAs(product));
    const substitution = await substitutionOf(id, other);
    const approvedBefore = await linesOf(prescriptionId);
    const staff = staffContext(api.orgId, 'staff');
    const pharmacist = staffContext(api.orgId, 'pharmacist' satisfies Role);
    const { differences } = (await refusalOf(exchangeProduct(pharmacist, id, substitution))) as DifferencesOpen;
    expect(differences.map(({ code }) => code)).toEqual([PRESCRIPTION_CHECKED]);
    const acknowledged = differences.map(({ key }) => key);
    const refused = await refusalOf(exchangeProduct(staff, id, { ...substitution, acknowledged }));
    expect(refused).toMatchObject({ code: 'insufficient_scope' });
    expect(await linesOf(prescriptionId)).toEqual(approvedBefore);
    expect(JSON.parse((await orderRow(id)).items)).toMatchObject([{ p1Id: product.p1_id }]);
    await exchangeProduct(pharmacist, id, { ...substitution, acknowledged });
    expect(await linesOf(prescriptionId)).toEqual([{ p1Id: other.p1_id, quantity: 2 }]);
    expect(JSON.parse((await orderRow(id)).items)).toMatchObject([{ p1Id: other.p1_id, prescriptionRequired: true }]);
    expect((await auditOf(prescriptionId, { action: 'prescription.approved' })).at(-1)).toMatchObject({
      actor_kind: 'staff',
    });
    succeeded(await patchOrder(api, id, { status: 'ready_pickup' }));
  });

  test('is not covered by the other product’s approval alone: nothing is handed out that nobody approved', async ({
    api,
  }) => {
    const { id, product } = await openPrescribedOrder(api);
    const other = await holdProduct(api, sameAs(product));
    await exchangeAll(staffContext(api.orgId, 'owner'), id, await substitutionOf(id, other));
    await exchangeAll(
      staffContext(api.orgId, 'owner'),
      id,
      await substitutionOf(id, product, { reason: 'customer_wish' }),
    );
    succeeded(await patchOrder(api, id, { status: 'ready_pickup' }));
  });

  test('is no way around a prescription: without an approved one nothing that needs it is exchanged in', async ({
    api,
    id,
  }) => {
    const prescribed = await holdProduct(api, { ...NAME, prescription_required: true });
    const owner = staffContext(api.orgId, 'owner');
    expect(await refusalOf(exchangeAll(owner, id, await substitutionOf(id, prescribed)))).toMatchObject({
      code: 'prescription_not_approved',
    });
  });
});
