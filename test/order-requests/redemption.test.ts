import { sql } from 'drizzle-orm';
import { fromBase64, sha256, toHex } from '../../src/platform/crypto/crypto';
import { inList } from '../../src/platform/data/db';
import { MARKS_KEPT_MS } from '../../src/prescriptions/limits';
import { markOf, rewriteMarks } from '../../src/prescriptions/storage';
import { erasePrescriptions } from '../../src/prescriptions/store';
import { sweepMarks } from '../../src/prescriptions/sweep';
import { approve, getRequest, openPrescribed, reject } from '../support/order-flow';
import { callApi, expectProblem, type OrganizationApi, succeeded } from '../support/organization';
import { DURING, NEW_ID, OLD_ID } from '../support/roots';
import { expect, test } from '../support/test';
import { PDF_BASE64, rows, systemContext } from '../support/world';

const SAME = { pdf: PDF_BASE64 };

/** Two requests with the same file. */
async function openTwo(api: OrganizationApi) {
  const first = await openPrescribed(api, SAME);
  return { first, second: await openPrescribed(api, SAME) };
}

/** What stops a request, or is told of it, about another one with its prescription. */
async function sharedOf(api: OrganizationApi, id: string) {
  const { blockers, warnings } = await getRequest(api, id);
  const others = (list: { code: string; others?: { order_request_id: string }[] }[]) =>
    list.flatMap(({ code, others: found }) =>
      code === 'prescription_redeemed' ? (found ?? []).map((each) => each.order_request_id) : [],
    );
  return { stops: others(blockers), told: others(warnings) };
}

async function approvePrescription(api: OrganizationApi, id: string): Promise<void> {
  succeeded(await callApi(api, 'POST', `/prescriptions/${id}/approve`, { body: {} }));
}

test('the later request with the same file is stopped and names the first, unless a reason is given', async ({
  api,
}) => {
  const { first, second } = await openTwo(api);
  expect(await sharedOf(api, first.id)).toEqual({ stops: [], told: [second.id] });
  expect(await sharedOf(api, second.id)).toEqual({ stops: [first.id], told: [] });
  for (const { prescriptionId } of [first, second]) await approvePrescription(api, prescriptionId);
  succeeded(await approve(api, first.id));
  expectProblem(await approve(api, second.id), 409, 'not_approvable');
  succeeded(await approve(api, second.id, { override_reason: 'Teillieferung' }));
});

test('another file with the same signature is stopped, too', async ({ api }) => {
  const [first, second] = [await openPrescribed(api), await openPrescribed(api)];
  expect((await sharedOf(api, second.id)).stops).toEqual([]);
  const ids = [first.prescriptionId, second.prescriptionId];
  await rows(`update prescriptions set signature_mark = 'r1.same' where id in (?, ?)`, ...ids);
  expect((await sharedOf(api, second.id)).stops).toEqual([first.id]);
});

test('what was rejected is only told', async ({ api }) => {
  const { first, second } = await openTwo(api);
  succeeded(await reject(api, first.id));
  expect(await sharedOf(api, second.id)).toEqual({ stops: [], told: [first.id] });
});

test('an erased prescription that was approved is known for 100 days past its approval', async ({ api }) => {
  const { first, second } = await openTwo(api);
  await approvePrescription(api, first.prescriptionId);
  succeeded(await approve(api, first.id));
  const { ctx } = systemContext();
  const ids = [first.prescriptionId, second.prescriptionId];
  await ctx.db.run({ erased: erasePrescriptions(sql`id in ${inList(ids)}`, ctx.now()) });
  // Of what nobody approved, nothing stays.
  expect(await sharedOf(api, first.id)).toEqual({ stops: [], told: [] });
  const third = await openPrescribed(api, SAME);
  expect((await sharedOf(api, third.id)).stops).toEqual([first.id]);
  const sweepAt = (now: number) => sweepMarks(systemContext({ now: () => now }).ctx);
  await sweepAt(Date.now() + MARKS_KEPT_MS - 60_000);
  expect((await sharedOf(api, third.id)).stops).toEqual([first.id]);
  await sweepAt(Date.now() + MARKS_KEPT_MS + 60_000);
  expect(await sharedOf(api, third.id)).toEqual({ stops: [], told: [] });
});

test('a rotation of the root secret hides no second redemption, of what is stored and of what was erased', async ({
  api,
}) => {
  const during = systemContext({ env: DURING }).ctx;
  const mark = async (id: string) =>
    (await rows<{ file_mark: string }>('select file_mark from prescriptions where id = ?', id))[0]?.file_mark;
  const { first, second } = await openTwo(api);
  await approvePrescription(api, first.prescriptionId);
  await during.db.run({ erased: erasePrescriptions(sql`id in ${inList([first.prescriptionId])}`, during.now()) });
  const third = await openPrescribed(api, SAME);
  const marked = await markOf(during, api.orgId, toHex(await sha256(fromBase64(PDF_BASE64))));
  expect(marked).toBe(await mark(third.prescriptionId));
  await rewriteMarks(during, OLD_ID);
  for (const { prescriptionId } of [first, second, third])
    expect(await mark(prescriptionId)).toMatch(new RegExp(`^${NEW_ID}\\.`));
  expect((await sharedOf(api, third.id)).stops).toEqual([second.id, first.id]);
});
