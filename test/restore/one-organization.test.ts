import { env } from 'cloudflare:workers';
import { holdCustomer } from '../../src/orders/erasure';
import { sweepFileDeletions, sweepOrphanFiles } from '../../src/prescriptions/sweep';
import { enter } from '../management/browser';
import { everything } from '../support/moving';
import { patchOrder, staffContext } from '../support/order-flow';
import {
  callApi,
  createKey,
  expectProblem,
  revokeKey,
  signedTokenFor,
  succeeded,
  tokenFor,
} from '../support/organization';
import { beginImport, fileOf, importFrom, type OpenFile, type Progress, sendPart } from '../support/organization-file';
import { erase, leaveTraces } from '../support/person';
import { problemOf } from '../support/probe';
import { rowOf } from '../support/rows';
import { openSeller, placeOrder, readOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { envelope, operate, rows, submit, systemContext } from '../support/world';

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await sweepOrphanFiles(systemContext().ctx);
  vi.setSystemTime(Date.now() + 60_000);
});

const replaced = (orgId: string, file: OpenFile) => importFrom(orgId, file, { replace: true });

test('who was erased since the file was written does not come back: no row, no event, no PDF', async () => {
  const { seller, said, customerId, fileKey } = await leaveTraces();
  const { orgId } = seller;
  const file = await fileOf(orgId);
  expect(said.filter((text) => !file.parts.some((part) => new TextDecoder().decode(part).includes(text)))).toEqual([]);
  succeeded(await erase(seller, customerId), 200);
  expect(await replaced(orgId, file)).toMatchObject({ mode: 'replace', state: 'done' });
  const { ctx } = systemContext();
  await sweepFileDeletions(ctx);
  const left = [...(await everything(0))].filter((row) => row.includes(orgId));
  expect(left.length).toBeGreaterThan(20);
  expect(said.filter((text) => left.some((row) => row.includes(text)))).toEqual([]);
  expect(await env.FILES.head(fileKey)).toBeNull();
});

test('what ended or was forbidden since stays so, and the others go on', async ({ seller }) => {
  const { orgId } = seller;
  const other = await openSeller();
  await placeOrder(other);
  const others = () => everything(0).then((all) => [...all].filter((row) => row.includes(other.orgId)).toSorted());
  const [first, held] = [await placeOrder(seller), await placeOrder(seller)];
  const kept = await createKey(orgId, ['orders.read']);
  const revoked = await createKey(orgId, ['orders.read']);
  const file = await fileOf(orgId);
  vi.setSystemTime(Date.now() + 1000);
  await revokeKey(orgId, revoked.keyId);
  await holdCustomer(staffContext(orgId, 'owner').ctx, { customerId: held.customer.id, isOnLegalHold: true });
  succeeded(await patchOrder(seller, first.id, { note: 'nach der Datei' }));
  const lost = await placeOrder(seller);
  const [last] = await rows<{ seq: number }>('select max(seq) as seq from events where org_id = ?', orgId);
  const before = await others();
  const versionOf = async () => Number((await rowOf('orders', { id: first.id }))?.version);
  const version = await versionOf();

  await replaced(orgId, file);
  expect(await others()).toEqual(before);
  seller.token = await signedTokenFor(seller);
  expectProblem(await callApi(seller, 'GET', `/orders/${lost.id}`), 404, 'order_not_found');
  const back = await readOrder(seller, first.id);
  expect(back.note ?? null).toBeNull();
  expect(await versionOf()).toBeGreaterThan(version);
  expect(await rowOf('customers', { id: held.customer.id })).toMatchObject({ legal_hold: 1 });
  expect(await tokenFor({ orgId, apiKey: kept.apiKey })).toMatch(/./);
  await expect(tokenFor({ orgId, apiKey: revoked.apiKey })).rejects.toThrow('401');
  const next = await placeOrder(seller);
  expect(Number(next.number)).toBeGreaterThan(Number(lost.number));
  const [event] = await rows<{ seq: number }>('select max(seq) as seq from events where org_id = ?', orgId);
  expect(Number(event?.seq)).toBeGreaterThan(Number(last?.seq));
});

test('nobody reads or writes before the journal was repeated; a suspension since stays', async ({ seller }) => {
  const { orgId } = seller;
  await placeOrder(seller);
  const { browser } = await enter(orgId, 'owner');
  const file = await fileOf(orgId);
  vi.setSystemTime(Date.now() + 1000);
  const isShut = async () => {
    expect((await callApi(seller, 'GET', '/orders')).status).toBeGreaterThanOrEqual(403);
    expect((await submit(seller, envelope())).status).toBeGreaterThanOrEqual(401);
    expect((await browser.get('/manage/orders')).text).not.toContain('Mustermann');
  };
  const begun = await (await beginImport(orgId, file.manifest, { replace: true })).json<Progress>();
  for (const [part, bytes] of file.parts.entries()) {
    if (part % 5 === 0) await isShut();
    expect((await sendPart(orgId, begun.import_id, part, bytes)).status).toBe(200);
  }
  await isShut();
  expect(await replaced(orgId, file)).toMatchObject({ state: 'done' });
  succeeded(await callApi(seller, 'GET', '/orders'));
  await operate(`/organizations/${orgId}`, { status: 'suspended' }, 'PATCH');
  vi.setSystemTime(Date.now() + 1000);
  await replaced(orgId, file);
  expect((await rowOf('organizations', { id: orgId }))?.suspended_at).not.toBeNull();
});

test('a file that is older than the journal is refused, and the organization is as it was', async ({ seller }) => {
  const { orgId } = seller;
  await placeOrder(seller);
  const file = await fileOf(orgId);
  const manifest = JSON.parse(file.manifest);
  for (const days of [401, 3_650]) {
    const fence = new Date(Date.now() - days * 86_400_000).toISOString();
    const asked = JSON.stringify({ ...manifest, fence });
    await problemOf(await beginImport(orgId, asked, { replace: true }), 409, 'conflict');
  }
  succeeded(await callApi(seller, 'GET', '/orders'));
});
