import { requestBody, requestRow } from '../support/order-flow';
import { callApi, expectProblem, succeeded } from '../support/organization';
import { expect, test } from '../support/test';
import { envelope, rows } from '../support/world';

const post = (api: Parameters<typeof callApi>[0], body: unknown) => callApi(api, 'POST', '/order-requests', { body });

test('the shop of a request may stand in its payload, and is none of the platform’s details', async ({ api }) => {
  const { id } = succeeded(await post(api, envelope({ shop_id: api.otherShopId, dosage: '1-0-1' })));
  expect(await requestRow(id)).toMatchObject({ shop_id: api.otherShopId, platform_details: '{"dosage":"1-0-1"}' });
  const both = requestBody(api, { shop_id: api.shopId });
  const made = succeeded(await post(api, both));
  expect(await requestRow(made.id)).toMatchObject({ shop_id: api.shopId, platform_details: null });
  const upper = api.shopId.toUpperCase();
  for (const shop of [{}, { shop_id: upper }]) {
    for (const within of [undefined, api.shopId, upper]) {
      const again = await post(api, { ...both, ...shop, payload: { ...both.payload, shop_id: within } });
      expect([again.body.id, again.headers.get('Idempotent-Replayed')]).toEqual([made.id, 'true']);
    }
  }
  const alone = await post(api, { ...both, shop_id: undefined, payload: { ...both.payload, shop_id: upper } });
  expect([alone.body.id, alone.headers.get('Idempotent-Replayed')]).toEqual([made.id, 'true']);
});

test('two shops, none, or what is no shop: nothing is stored', async ({ api }) => {
  const different = await post(api, requestBody(api, { shop_id: api.otherShopId }));
  expectProblem(different, 400, 'validation_failed');
  expect(different.body.errors).toMatchObject([{ pointer: '/payload/shop_id' }]);
  for (const body of [envelope(), envelope({ shop_id: 7 }), envelope({ shop_id: '' }), { payload: 'x' }, {}]) {
    const answer = await post(api, body);
    expectProblem(answer, 400, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer: '/shop_id', code: 'required' }]);
  }
  expectProblem(await post(api, envelope({ shop_id: crypto.randomUUID() })), 404, 'shop_not_found');
  expect(await rows('select id from order_requests where org_id = ?', api.orgId)).toEqual([]);
});

test('what is echoed is the reference as it was sent', async ({ api }) => {
  const answer = succeeded(await post(api, requestBody(api, {}, { external_reference: '  sp ace ' })));
  expect(answer.external_reference).toBe('  sp ace ');
});
