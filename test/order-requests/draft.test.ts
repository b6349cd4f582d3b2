import { deleteOrderRequest } from '../../src/order-requests/erasure/erase';
import { readReview } from '../../src/order-requests/inbox/inbox';
import { approveOrderRequest } from '../../src/order-requests/review/approve';
import { rejectOrderRequest, reopenOrderRequest } from '../../src/order-requests/review/decisions';
import { discardDraft, type PreparedReview, saveReview } from '../../src/order-requests/review/draft';
import type { Context } from '../../src/platform/context';
import {
  atOnce,
  getRequest,
  itemOf,
  openApprovable,
  openPrescribed,
  openRequest,
  requestRow,
  staffContext,
} from '../support/order-flow';
import { footprint, holdProduct } from '../support/organization';
import { auditOf } from '../support/rows';
import { describe, expect, test } from '../support/test';
import { rows } from '../support/world';

const line = (p1Id: string, members: object = {}) => ({
  ...{ name: null, quantity: 3, priceCents: 495, p1Id, productId: null, item: 0 },
  ...members,
});

const save = (ctx: Context, id: string, prepared: Partial<PreparedReview>) =>
  saveReview(ctx, { id, lines: [], acknowledged: [], payment: null, version: null, ...prepared });

const codeOf = (run: Promise<unknown>) =>
  run.then(
    () => 'none',
    ({ code }: { code: string }) => code,
  );

describe('what staff prepare of a review', () => {
  test('is what everybody sees of the request from then on, with who and when', async ({ api }) => {
    const { id, product } = await openPrescribed(api);
    const other = await holdProduct(api, { stock: 9 });
    const staff = staffContext(api.orgId, 'staff');
    const lines = [line(product.p1_id), line(other.p1_id, { quantity: 1, item: 1 })];
    const version = await save(staff.ctx, id, { lines });

    const review = await readReview(staffContext(api.orgId).ctx, id);
    expect(review.lines).toMatchObject([
      { p1Id: product.p1_id, quantity: 3, productName: product.name },
      { p1Id: other.p1_id, quantity: 1, productName: other.name },
    ]);
    expect(review.request.draft).toEqual({
      ...{ version, lines, acknowledged: [], payment: null, remainder: null },
      ...{ savedBy: staff.memberId, savedAt: expect.any(Number) },
    });
    const [audit] = await auditOf(id);
    expect(audit).toMatchObject({ action: 'order_request.draft_saved', actor_id: staff.memberId, fields: null });
    // Programs see the request as it was sent.
    expect(await getRequest(api, id)).toMatchObject({ status: 'pending', lines: [{ quantity: 2 }] });
  });

  test('keeps an acknowledgement only as long as it fits', async ({ api }) => {
    const { ctx } = staffContext(api.orgId, 'staff');
    const asked = await holdProduct(api, { name: 'Ibuprofen 400 mg, 20 Stück' });
    const chosen = await holdProduct(api, { name: 'Ibuprofen 600 mg, 20 Stück' });
    const id = await openRequest(api, { items: [{ ...itemOf(asked, 3), name: asked.name }] });
    const lines = [line(chosen.p1_id)];
    const { differences } = await readReview(ctx, id, { lines, p1Ids: [] });
    const acknowledged = differences.map(({ key }) => key);
    await save(ctx, id, { lines, acknowledged: [...acknowledged, 'something else'] });

    const kept = await readReview(ctx, id);
    expect(acknowledged).toEqual(expect.arrayContaining(kept.request.draft?.acknowledged ?? ['none']));
    expect(kept.blockers).toEqual([]);
    await rows('update catalog_products set name = ? where p1_id = ?', 'Ibuprofen 800 mg, 20 Stück', chosen.p1_id);
    expect((await readReview(ctx, id)).blockers).toMatchObject([{ code: 'difference' }]);
  });

  test('is written by one of two at the same time; the other one is told and changes nothing', async ({ api }) => {
    const { id, product } = await openApprovable(api);
    const [one, two] = [staffContext(api.orgId, 'staff').ctx, staffContext(api.orgId).ctx];
    const first = await save(one, id, { lines: [line(product.p1_id)] });
    const before = await footprint(api.orgId);
    expect(await codeOf(save(two, id, { lines: [line(product.p1_id, { quantity: 9 })] }))).toBe('changed_meanwhile');
    expect(await codeOf(discardDraft(two, { id, version: null }))).toBe('changed_meanwhile');
    expect(await footprint(api.orgId)).toEqual(before);

    const again = { lines: [line(product.p1_id)], version: first };
    const codes = await atOnce(
      () => codeOf(save(one, id, again)),
      () => codeOf(save(two, id, again)),
    );
    expect(codes.toSorted()).toEqual(['changed_meanwhile', 'none']);
  });

  test('decides nothing: staff cannot approve a prescription by it, and what is approved is what the form says', async ({
    api,
  }) => {
    const { id, product } = await openPrescribed(api);
    const staff = staffContext(api.orgId, 'staff').ctx;
    await save(staff, id, { lines: [line(product.p1_id)] });
    expect(await codeOf(approveOrderRequest(staff, { id, overrideReason: 'ok' }))).toBe('not_approvable');
    expect(await requestRow(id)).toMatchObject({ status: 'pending', order_id: null });

    const counter = await openApprovable(api);
    await save(staff, counter.id, { lines: [line(counter.product.p1_id)] });
    await approveOrderRequest(staff, { id: counter.id, lines: [line(counter.product.p1_id, { quantity: 2 })] });
    expect(JSON.parse(String((await requestRow(counter.id)).approved_items))).toMatchObject([{ quantity: 2 }]);
  });

  test.for<[string, (ctx: Context, id: string, version: string) => Promise<unknown>]>([
    ['approved', (ctx, id) => approveOrderRequest(ctx, { id })],
    ['rejected', (ctx, id) => rejectOrderRequest(ctx, { id, reasonCode: 'test', note: null })],
    ['deleted', (ctx, id) => deleteOrderRequest(ctx, id)],
    ['discarded', (ctx, id, version) => discardDraft(ctx, { id, version })],
  ])('is gone once it is %s', async ([_, end], { api }) => {
    const { ctx } = staffContext(api.orgId, 'owner');
    const { id, product } = await openApprovable(api);
    const version = await save(ctx, id, { lines: [line(product.p1_id, { quantity: 2 })] });
    expect(JSON.parse(String((await requestRow(id)).draft))).toMatchObject({ version });
    await end(ctx, id, version);
    expect(await requestRow(id)).toMatchObject({ draft: null });
  });

  test('is refused once the request is decided, and after that was undone', async ({ api }) => {
    const { ctx } = staffContext(api.orgId);
    const { id, product } = await openApprovable(api);
    const version = await save(ctx, id, { lines: [line(product.p1_id)] });
    await rejectOrderRequest(ctx, { id, reasonCode: 'test', note: null });
    expect(await codeOf(save(ctx, id, { version }))).toBe('already_decided');
    expect(await codeOf(discardDraft(ctx, { id, version }))).toBe('already_decided');
    await reopenOrderRequest(ctx, id);
    expect(await codeOf(save(ctx, id, { version }))).toBe('changed_meanwhile');
    expect(await requestRow(id)).toMatchObject({ status: 'pending', draft: null });
  });
});
