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
import { makeLink, openSeller, placeOrder, readOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { call, envelope, ONE_DATABASE, operate, rows, submit, systemContext } from '../support/world';

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

test.each([
  ['several databases', {}],
  ['one database', ONE_DATABASE],
])('nobody reads or writes before the journal was repeated, with %s; a suspension since stays', async (_, changed) => {
  const seller = await openSeller();
  const { orgId } = seller;
  const { id } = await placeOrder(seller);
  const link = (await makeLink(seller, id)).url;
  const { browser } = await enter(orgId, 'owner');
  browser.env = changed;
  const file = await fileOf(orgId);
  vi.setSystemTime(Date.now() + 1000);
  const isShut = async (part: number) => {
    const answers = [
      (await callApi(seller, 'GET', '/orders', { env: changed })).status,
      (await submit(seller, envelope(), changed)).status,
      (await call(link, {}, changed)).status,
    ];
    expect([part, answers.filter((status) => status < 400)]).toEqual([part, []]);
    expect((await browser.get('/manage/orders')).text).not.toContain('Mustermann');
  };
  const again = () => beginImport(orgId, file.manifest, { replace: true }, changed);
  // Until every isolate knows that it is shut nothing is deleted.
  expect(await (await again()).json()).toMatchObject({ state: 'clearing' });
  expect((await rows('select id from orders where org_id = ?', orgId)).length).toBe(1);
  vi.setSystemTime(Date.now() + 31_000);
  await isShut(-2);
  const begun = await (await again()).json<Progress>();
  expect(begun).toMatchObject({ state: 'receiving', next: 0 });
  for (const [part, bytes] of file.parts.entries()) {
    await isShut(part);
    expect((await sendPart(orgId, begun.import_id, part, bytes, changed)).status).toBe(200);
  }
  await isShut(-1);
  expect(await importFrom(orgId, file, { replace: true }, changed)).toMatchObject({ state: 'done' });
  succeeded(await callApi(seller, 'GET', '/orders', { env: changed }));
  expect((await call(link, {}, changed)).status).toBe(200);
  await operate(`/organizations/${orgId}`, { status: 'suspended' }, 'PATCH');
  vi.setSystemTime(Date.now() + 1000);
  await importFrom(orgId, file, { replace: true }, changed);
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
