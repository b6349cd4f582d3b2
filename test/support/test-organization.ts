import { expect } from 'vitest';
import { API_SCOPES, createKey, type OrganizationApi, tokenFor } from './organization';
import { operate, type Pharmacy, rowsIn } from './world';

/** The test organization of an organization, as the operator opens it. */
export async function openTestOf(orgId: string): Promise<string> {
  const { org_id } = await operate(`/organizations/${orgId}/test`, {});
  expect(org_id).toMatch(/^[0-9a-f-]{36}$/);
  return org_id ?? '';
}

/** The test organization of an organization, with an API key, a token and an integration key of its own. */
export async function openTestPharmacy(orgId: string, shard = 0): Promise<OrganizationApi & Pharmacy> {
  const testId = await openTestOf(orgId);
  const [shop] = await rowsIn<{ shop_id: string; host: string }>(
    shard,
    'select shop_id, host from shop_hosts where org_id = ?',
    testId,
  );
  const { shop_id: shopId = '', host = '' } = shop ?? {};
  const key = await createKey(testId, API_SCOPES);
  const { apiKey: integrationKey } = await createKey(testId, ['external_orders.submit']);
  const url = `http://${host}:8787/api/v1/external-order`;
  const opened = { orgId: testId, shard, shopId, otherShopId: shopId, host, url, integrationKey, ...key };
  return { ...opened, token: await tokenFor(opened) };
}
