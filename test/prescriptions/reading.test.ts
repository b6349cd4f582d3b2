import { approve, deleteRequest, openPrescribed, openRequest } from '../support/order-flow';
import { callApi, createKey, expectProblem, type OrganizationApi, succeeded, tokenFor } from '../support/organization';
import { auditOf } from '../support/rows';
import { expect, test } from '../support/test';
import { BASE, call, operate, PDF_BASE64, PDF_TEXT, rows } from '../support/world';

const SHA256 = async (text: string) => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
};
const fileOf = (api: OrganizationApi, id: string) => callApi(api, 'GET', `/prescriptions/${id}/file`);

test('the file comes byte for byte under its SHA-256, and each download is one audit row', async ({
  api,
  prescribed,
}) => {
  const { id, prescriptionId } = prescribed;
  const [listed] = succeeded(await callApi(api, 'GET', `/order-requests/${id}/prescriptions`)).data;
  const sha256 = await SHA256(PDF_TEXT);
  expect(listed).toMatchObject({ id: prescriptionId, order_request_id: id, status: 'stored', sha256 });
  expect(listed.signature_report).toBeNull();
  const first = await fileOf(api, prescriptionId);
  expect(first.headers.get('Content-Type')).toBe('application/pdf');
  expect(first.headers.get('ETag')).toBe(`"${sha256}"`);
  expect(await SHA256(first.body)).toBe(sha256);
  succeeded(await fileOf(api, prescriptionId));
  const viewed = { action: 'prescription.viewed', actor_kind: 'api_key', actor_id: api.keyId };
  expect(await auditOf(prescriptionId)).toMatchObject([viewed, viewed]);
});

test('who has the file gets 304, which is no download', async ({ api, prescribed: { prescriptionId } }) => {
  const url = `${BASE}/api/v2/public/orgs/${api.orgId}/prescriptions/${prescriptionId}/file`;
  const etag = `"${await SHA256(PDF_TEXT)}"`;
  const headers = { Authorization: `Bearer ${api.token}`, 'If-None-Match': etag };
  const answer = await call(url, { headers });
  expect([answer.status, await answer.text(), answer.headers.get('ETag')]).toEqual([304, '', etag]);
  expect(await auditOf(prescriptionId)).toEqual([]);
});

test('a report is an audit row each time that it is read, and none while it is not there', async ({
  api,
  prescribed: { id, prescriptionId },
}) => {
  const readBoth = async () => {
    succeeded(await callApi(api, 'GET', `/prescriptions/${prescriptionId}`));
    succeeded(await callApi(api, 'GET', `/order-requests/${id}/prescriptions`));
  };
  await readBoth();
  expect(await auditOf(prescriptionId)).toEqual([]);
  const report = {
    status: 'none',
    subIndication: null,
    laterChanges: 'none',
    anchor: null,
    signatures: [],
    checkedAt: 1,
  };
  await rows('update prescriptions set signature_report = ? where id = ?', JSON.stringify(report), prescriptionId);
  await readBoth();
  const read = { action: 'prescription.viewed', actor_id: api.keyId, fields: '["signature_report"]' };
  expect(await auditOf(prescriptionId)).toMatchObject([read, read]);
});

test('one prescription is told with its approval', async ({ api, prescribed: { id, product, prescriptionId } }) => {
  succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/approve`, { body: {} }));
  const signature = { provider: 'qes.example', signature_reference: 'SIG-1', signed_at: '2026-11-20T09:30:00.000Z' };
  succeeded(await callApi(api, 'POST', `/prescriptions/${prescriptionId}/signature`, { body: signature }));
  expect(succeeded(await callApi(api, 'GET', `/prescriptions/${prescriptionId}`))).toMatchObject({
    id: prescriptionId,
    status: 'approved',
    order_request_id: id,
    shop_id: api.shopId,
    approved_lines: [{ p1_id: product.p1_id, quantity: 2 }],
    signature,
    signature_report: null,
  });
  succeeded(await approve(api, id));
});

test('a file that is gone is 409, and its request 404', async ({ api }) => {
  const { id, prescriptionId } = await openPrescribed(api, { pdf: PDF_BASE64 });
  succeeded(await deleteRequest(api, id));
  expectProblem(await fileOf(api, prescriptionId), 409, 'prescription_not_stored');
  expectProblem(await callApi(api, 'GET', `/order-requests/${id}/prescriptions`), 404, 'order_request_not_found');
});

test('a key that is limited to a shop reads nothing of another one, not even what a platform says beside', async ({
  api,
}) => {
  const shared = { prescription_pdf_base64: PDF_BASE64, diagnosis: 'F41.1' };
  const id = await openRequest(api, shared);
  const [{ id: prescriptionId }] = succeeded(await callApi(api, 'GET', `/order-requests/${id}/prescriptions`)).data;
  const scopes = ['prescriptions.read', 'order_requests.read'];
  const limitedTo = async (shopId: string) => {
    const made = await operate<{ api_key: string }>(`/organizations/${api.orgId}/api-keys`, {
      name: 'one shop',
      scopes,
      prescription_shop_ids: [shopId],
    });
    return { ...api, token: await tokenFor({ orgId: api.orgId, apiKey: made.api_key }) };
  };
  const [theirs, others] = [await limitedTo(api.shopId), await limitedTo(api.otherShopId)];
  for (const path of [`/prescriptions/${prescriptionId}`, `/prescriptions/${prescriptionId}/file`]) {
    succeeded(await callApi(theirs, 'GET', path));
    expectProblem(await callApi(others, 'GET', path), 404, 'prescription_not_found');
  }
  expectProblem(await callApi(others, 'GET', `/order-requests/${id}/prescriptions`), 404, 'order_request_not_found');
  const detailsFor = async (of: OrganizationApi) =>
    succeeded(await callApi(of, 'GET', `/order-requests/${id}`)).platform_details;
  expect([await detailsFor(theirs), await detailsFor(others)]).toEqual([{ diagnosis: 'F41.1' }, null]);
});

test('a platform’s key never gets the scope, and a limit needs it', async ({ api }) => {
  const make = (body: object) => operate(`/organizations/${api.orgId}/api-keys`, { name: 'x', ...body });
  await expect(make({ scopes: ['external_orders.submit', 'prescriptions.read'] })).rejects.toThrow('400');
  await expect(make({ scopes: ['orders.read'], prescription_shop_ids: [api.shopId] })).rejects.toThrow('400');
  const unknown = { scopes: ['prescriptions.read'], prescription_shop_ids: [api.orgId] };
  await expect(make(unknown)).rejects.toThrow('404');
  await createKey(api.orgId, ['prescriptions.read']);
});
