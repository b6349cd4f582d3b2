import { expect, test } from 'vitest';
import { PRODUCTION } from '../support/operator';
import { call, envelope, json, OPERATOR_TOKEN } from '../support/world';

const HOST = 'api.offizin.example';

test.each([
  [
    'a request of the connector',
    'http://rx.pharmacy.example/api/v1/external-order',
    json(envelope(), { apikey: 'ofz_x' }),
  ],
  ['a call with a token', `http://${HOST}/readyz`, { headers: { Authorization: `Bearer ${OPERATOR_TOKEN}` } }],
  ['a form', `http://${HOST}/manage/sign-in`, { method: 'POST', headers: { Accept: 'text/html' }, body: 'a=b' }],
])('%s by plain HTTP is refused where the service is reached by HTTPS', async (_, url, init) => {
  const answer = await call(url, init, PRODUCTION);
  expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'https_required' }]);
});

test.each(['/manage/sign-in?next=%2Fmanage', '/docs'])(
  'a browser is sent to the HTTPS address of the page %s',
  async (path) => {
    const answer = await call(`http://${HOST}${path}`, { headers: { Accept: 'text/html,*/*' } }, PRODUCTION);
    expect([answer.status, answer.headers.get('Location')]).toEqual([308, `https://${HOST}${path}`]);
    expect(await answer.text()).toBe('');
  },
);

test('by HTTPS it is answered', async () => {
  expect((await call(`https://${HOST}/healthz`, {}, PRODUCTION)).status).toBe(200);
});
