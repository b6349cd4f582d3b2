import { approveOrderRequest } from '../../src/order-requests/review/approve';
import {
  approve,
  getOrder,
  getRequest,
  itemOf,
  openConnector,
  requestBody,
  requestRow,
  staffContext,
} from '../support/order-flow';
import { callApi, holdProduct, type OrganizationApi, openOrganizationApi, succeeded } from '../support/organization';
import { newLink, prescriptionRow } from '../support/prescriptions';
import { accepted } from '../support/probe';
import { describe, expect, test } from '../support/test';
import { newPdf } from '../support/world';

const NAMED = { customer_birth_date: '1980-02-29', prescriber_name: 'Dr. Anna Beispiel' };

/** A request with two prescriptions, of which the second one has the first item. */
async function openTwo(api: OrganizationApi) {
  const products = [
    await holdProduct(api, { stock: 20, prescription_required: true }),
    await holdProduct(api, { stock: 20, prescription_required: true }),
  ] as const;
  const [first, second] = products.map((product) => itemOf(product));
  const body = requestBody(api, {
    ...NAMED,
    items: [{ ...first, prescription: 1 }, second],
    prescriptions: [{ pdf_base64: newPdf(), reference: 'RX-A' }, { pdf_base64: newPdf() }],
  });
  const { id } = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
  const { prescriptions } = await getRequest(api, id);
  return { id, body, products, ids: prescriptions.map((each: { id: string }) => each.id) as [string, string] };
}

const coveredBy = async (id: string) => JSON.parse((await prescriptionRow(id)).approved_lines ?? 'null');

describe('a list of prescriptions', () => {
  test('is kept in its order, with references, the birth date and who prescribed', async ({ api }) => {
    const { id } = await openTwo(api);
    expect(await getRequest(api, id)).toMatchObject({
      ...NAMED,
      prescriptions: [
        { index: 0, reference: 'RX-A', origin: 'base64', status: 'stored' },
        { index: 1, reference: null, origin: 'base64', status: 'stored' },
      ],
      items: [{ prescription: 1 }, { prescription: null }],
    });
    expect((await requestRow(id)).payload).not.toContain('JVBERi');
  });

  test('presets what each covers, when staff check both', async ({ api }) => {
    const { id, products, ids } = await openTwo(api);
    const { ctx } = staffContext(api.orgId);
    const checked = await Promise.all(
      ids.map(async (prescriptionId) => {
        const { sha256 } = await prescriptionRow(prescriptionId);
        return { prescriptionId, sha256: sha256 ?? '', as: 'original_present' as const, issuedOn: null };
      }),
    );
    const { orderId } = await approveOrderRequest(ctx, { id, checked });
    expect(await coveredBy(ids[1])).toEqual([{ p1Id: products[0].p1_id, quantity: 2 }]);
    expect(await coveredBy(ids[0])).toEqual([{ p1Id: products[1].p1_id, quantity: 2 }]);
    expect(await getOrder(api, orderId ?? '')).toMatchObject({
      customer: { birth_date: NAMED.customer_birth_date },
      prescriber_name: NAMED.prescriber_name,
    });
  });

  test('presets what each covers, when a program approves one', async ({ api }) => {
    const { id, products, ids } = await openTwo(api);
    for (const each of ids) succeeded(await callApi(api, 'POST', `/prescriptions/${each}/approve`, { body: {} }));
    expect(await coveredBy(ids[0])).toEqual([{ p1Id: products[1].p1_id, quantity: 2 }]);
    succeeded(await approve(api, id));
  });

  test('is compared as a whole with a repetition', async ({ api }) => {
    const submitAs = await openConnector(api);
    const link = newLink();
    const files = [{ pdf_base64: newPdf() }, { pdf_url: link }];
    const { shop_id: _, ...body } = requestBody(api, { items: [], prescriptions: files });
    const of = (prescriptions: object[]) => submitAs({ ...body, payload: { ...body.payload, prescriptions } });
    const { id } = await accepted(await of(files));
    const again = await of([files[0] as object, { pdf_url: link.replace('s3cr3t', 'other') }]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(await accepted(again)).toMatchObject({ id });
    const other = await of([...files].reverse());
    expect(other.status).toBe(409);
    expect(await other.json()).toMatchObject({ code: 'external_reference_conflict' });
  });

  test.each<[string, object, string]>([
    ['no source', { prescriptions: [{ reference: 'A' }] }, '/payload/prescriptions/0'],
    ['two sources', { prescriptions: [{ pdf_base64: newPdf(), pdf_url: newLink() }] }, '/payload/prescriptions/0'],
    ['no PDF', { prescriptions: [{ pdf_base64: 'eA==' }] }, '/payload/prescriptions/0/pdf_base64'],
    ['an inner link', { prescriptions: [{ pdf_url: 'https://127.0.0.1/a.pdf' }] }, '/payload/prescriptions/0/pdf_url'],
    ['six', { prescriptions: Array(6).fill({ pdf_url: newLink() }) }, '/payload/prescriptions'],
    [
      'one more beside it',
      { prescriptions: [{ pdf_base64: newPdf() }], prescription_pdf_base64: newPdf() },
      '/payload/prescriptions',
    ],
    [
      'an item without its prescription',
      { items: [{ name: 'X', quantity: 1, price: 1, prescription: 0 }] },
      '/payload/items/0/prescription',
    ],
    ['a birth date that is no day', { customer_birth_date: '1980-02-30' }, '/payload/customer_birth_date'],
  ])('with %s is refused', async (_, payload, pointer) => {
    const api = await openOrganizationApi();
    const answer = await callApi(api, 'POST', '/order-requests', { body: requestBody(api, { ...payload }) });
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }));
  });
});

test('takes product ids and postal codes that are numbers as their digits', async ({ api }) => {
  const items = [{ p1_id: 4711, quantity: 1, price: 1 }];
  const body = requestBody(api, { items, address_postal_code: 80331 });
  const { id } = succeeded(await callApi(api, 'POST', '/order-requests', { body }));
  expect(await getRequest(api, id)).toMatchObject({ address_postal_code: '80331', items: [{ p1_id: '4711' }] });
});
