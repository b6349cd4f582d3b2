import { enter } from '../management/browser';
import { follow, formOn } from '../management/page-forms';
import { orderRow, patchOrder, setPacked, setStatus } from '../support/order-flow';
import { callApi, eventsOf, expectProblem, succeeded } from '../support/organization';
import { openSeller, placeOrder } from '../support/seller';
import { describe, expect, test } from '../support/test';
import { rows } from '../support/world';

const TRACKING = {
  carrier: 'DHL',
  tracking_number: '00340434161094042557',
  tracking_url: 'https://track.example/s?id=00340434161094042557&lang=de#now',
};

async function changedFieldsOf(orgId: string): Promise<string[][]> {
  const events = await eventsOf(orgId);
  return events
    .filter(({ type }) => type === 'order_updated')
    .map(({ body }) => JSON.parse(body).metadata.changed_fields as string[]);
}

describe('through the API', () => {
  test('a parcel is told with the order, and by one event that names what changed', async ({ api, order }) => {
    expect(order).toMatchObject({ carrier: null, tracking_number: null, tracking_url: null });
    expect(succeeded(await patchOrder(api, order.id, TRACKING))).toMatchObject(TRACKING);
    expect(succeeded(await callApi(api, 'GET', `/orders/${order.id}`))).toMatchObject(TRACKING);
    succeeded(await patchOrder(api, order.id, TRACKING));
    succeeded(await patchOrder(api, order.id, { tracking_number: null, carrier: 'DHL' }));
    expect(await changedFieldsOf(api.orgId)).toEqual([
      ['carrier', 'tracking_number', 'tracking_url'],
      ['tracking_number'],
    ]);
  });

  test.for([
    'http://track.example/1',
    'javascript:alert(1)',
    'https://',
    'https://user:secret@track.example/1',
    'https://track.example/a b',
    'https://track.example/ä',
    'https://track.example"onclick=',
    ' https://track.example/1',
    '',
    `https://track.example/${'x'.repeat(2_048)}`,
  ])('no page but https is linked: %s', async (tracking_url, { api, order }) => {
    const answer = await patchOrder(api, order.id, { tracking_url });
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer: '/tracking_url' }]);
    expect(await orderRow(order.id)).toMatchObject({ tracking_url: null });
  });

  test('the database keeps no other address, whoever writes it', async ({ order }) => {
    const write = rows(`update orders set tracking_url = 'javascript:alert(1)' where id = ?`, order.id);
    await expect(write).rejects.toThrow(/orders_tracking_url/);
  });
});

describe('on the pages', () => {
  async function openReady() {
    const seller = await openSeller();
    const { id } = await placeOrder(seller, { shipping_option: 'Versand', payment_status: 'paid' });
    await setPacked(id);
    await setStatus(id, 'ready_shipping', 'Versand');
    const { browser } = await enter(seller.orgId, 'staff');
    return { seller, id, browser, path: `/manage/orders/${id}` };
  }

  test('it is written where the order is shipped, beside the questions, and changed once it is gone', async () => {
    const { id, browser, path, seller } = await openReady();
    const asked = await browser.get(`${path}/ship`);
    for (const name of Object.keys(TRACKING)) expect(asked.text).toContain(`name="${name}"`);
    const shipped = await browser.fill(`${path}/ship`, { ...TRACKING, address_known: 'yes' });
    expect(shipped.status).toBe(303);
    expect(await orderRow(id)).toMatchObject({ status: 'shipped', ...TRACKING });
    const page = await follow(browser, shipped);
    expect(page.text).toContain(TRACKING.tracking_number);
    expect(page.text).toContain('href="https://track.example/s?id=00340434161094042557&amp;lang=de#now"');
    const changed = await browser.fill(path, { tracking_number: '4711' }, `${path}/parcel`);
    expect(changed.status).toBe(303);
    expect(await orderRow(id)).toMatchObject({ tracking_number: '4711', carrier: 'DHL' });
    expect(await changedFieldsOf(seller.orgId)).toEqual([
      ['carrier', 'tracking_number', 'tracking_url'],
      ['tracking_number'],
    ]);
  });

  test('what a program has written since the page was made stays, whichever button of the page is pressed', async () => {
    const { id, browser, path, seller } = await openReady();
    await rows(`update orders set address_street = 'Lindenstraße 12', address_city = 'Berlin' where id = ?`, id);
    const form = formOn(await browser.get(path), `${path}/parcel`);
    succeeded(await patchOrder(seller, id, { ...TRACKING }));
    await browser.post(`${path}/parcel`, { ...form, carrier: 'GLS' });
    expect(await orderRow(id)).toMatchObject({ ...TRACKING, carrier: 'GLS' });
    expect((await browser.post(`${path}/ship`, form)).status).toBe(303);
    expect(await orderRow(id)).toMatchObject({ ...TRACKING, carrier: 'GLS', status: 'shipped' });
    const cleared = await browser.fill(path, { tracking_url: '' }, `${path}/parcel`);
    expect(cleared.status).toBe(303);
    expect(await orderRow(id)).toMatchObject({ tracking_url: null, carrier: 'GLS' });
  });
});
