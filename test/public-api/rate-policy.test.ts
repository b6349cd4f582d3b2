import { askToken, callApi, expectProblem, succeeded } from '../support/organization';
import { describe, expect, test } from '../support/test';
import { envelope, submit } from '../support/world';

const LIMITS = { REQUESTS_PER_MINUTE: 'connector=600,connectorReads=300,api=500,token=30' };
const full = (name: string) => ({ [name]: { limit: async () => ({ success: false }) } }) as unknown as Partial<Env>;

describe('how many requests a key may make', () => {
  test('is told with every answer, a refusal of the request included', async ({ api, pharmacy }) => {
    const called = await callApi(api, 'GET', '/shops', { env: LIMITS });
    expect([succeeded(called).data.length, called.headers.get('RateLimit-Policy')]).toEqual([2, '"api";q=500;w=60']);
    const refused = await callApi(api, 'GET', '/orders/none', { env: LIMITS });
    expect([refused.status, refused.headers.get('RateLimit-Policy')]).toEqual([404, '"api";q=500;w=60']);
    const token = await askToken(api.orgId, { headers: { apikey: api.apiKey }, env: LIMITS });
    expect(token.headers.get('RateLimit-Policy')).toBe('"token";q=30;w=60');
    const accepted = await submit(pharmacy, envelope(), LIMITS);
    expect([accepted.status, accepted.headers.get('RateLimit-Policy')]).toEqual([200, '"connector";q=600;w=60']);
    const wrong = await submit(pharmacy, {}, LIMITS);
    expect([wrong.status, wrong.headers.get('RateLimit-Policy')]).toEqual([400, '"connector";q=600;w=60']);
  });

  test('is told with a 429, and how long to wait', async ({ api, pharmacy }) => {
    const answers = [
      await callApi(api, 'GET', '/shops', { env: { ...LIMITS, ...full('RATE_API') } }),
      await askToken(api.orgId, { headers: { apikey: api.apiKey }, env: { ...LIMITS, ...full('RATE_TOKEN') } }),
    ];
    for (const answer of answers) expectProblem(answer, 429, 'rate_limited');
    const connector = await submit(pharmacy, envelope(), { ...LIMITS, ...full('RATE_CONNECTOR') });
    expect(connector.status).toBe(429);
    const headers = [...answers, connector].map(({ headers }) => [
      headers.get('RateLimit-Policy'),
      headers.get('Retry-After'),
    ]);
    expect(headers).toEqual([
      ['"api";q=500;w=60', '60'],
      ['"token";q=30;w=60', '60'],
      ['"connector";q=600;w=60', '60'],
    ]);
  });
});
