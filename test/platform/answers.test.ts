import { callApi } from '../support/organization';
import { expect, test } from '../support/test';
import { BASE, call } from '../support/world';

const SECURE = { BASE_URL: 'https://api.offizin.example', OUTBOUND_ALLOW_LOOPBACK: '' };

test.each(['/healthz', '/docs', '/manage/sign-in', '/nowhere', '/api/v2/public/orgs/x/shops'])(
  'over https %s keeps browsers on https; over http nothing says so',
  async (path) => {
    const secure = await call(SECURE.BASE_URL + path, {}, SECURE);
    expect(secure.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect((await call(BASE + path)).headers.get('Strict-Transport-Security')).toBeNull();
  },
);

test.for([
  ['/products/add-to-inventory', 'POST'],
  ['/products/P1-1', 'GET, PUT'],
] as const)('%s names its own methods alone', async ([path, methods], { api }) => {
  const answer = await callApi(api, 'DELETE', path);
  expect(answer.status).toBe(405);
  expect(answer.headers.get('Allow')?.split(', ').toSorted().join(', ')).toBe(methods);
});

test('finds an address whose letters are escaped', async () => {
  expect((await call(`${BASE}/%68ealth%7A`)).status).toBe(200);
});
