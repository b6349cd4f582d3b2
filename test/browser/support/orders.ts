import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { AMOXICILLIN, IBUPROFEN, type Pharmacy, submit } from './fixtures';

export interface Placed {
  id: string;
  path: string;
}

/** An order that the shop sent, taken through these steps by a program. */
export async function place(
  pharmacy: Pharmacy,
  members: Record<string, unknown> = {},
  ...steps: string[]
): Promise<Placed> {
  const { id } = await pharmacy.call<{ id: string }>('POST', '/orders', {
    ...{ shop_id: pharmacy.shopId, external_id: randomUUID(), customer_name: 'Erika Mustermann-Großkreutz' },
    ...{ payment_status: 'cash_on_pickup', items: [{ p1_id: IBUPROFEN, qty: 2, price: 4.95 }] },
    ...members,
  });
  for (const status of steps) await pharmacy.call('PATCH', `/orders/${id}`, { status });
  return { id, path: `/manage/orders/${id}` };
}

interface Prescribed {
  payload?: Record<string, unknown>;
  /** What was checked of the prescription, and the day that it bears. */
  as?: 'original_present' | 'original_follows';
  issuedOn?: string;
}

/**
 * An order with a medicine that needs a prescription, ready for its customer. The request is approved by the form as a page
 * without scripts would send it: whether the review is good is told elsewhere.
 */
export async function placePrescribed(
  pharmacy: Pharmacy,
  page: Page,
  { payload, as = 'original_present', issuedOn = '' }: Prescribed = {},
): Promise<Placed> {
  const request = await submit(pharmacy, {
    items: [
      { name: 'Amoxicillin 750 mg', p1_id: AMOXICILLIN, quantity: 1, price: 13.45 },
      { name: 'Ibuprofen 400 mg', p1_id: IBUPROFEN, quantity: 2, price: 4.95 },
    ],
    ...payload,
  });
  await page.goto(`/manage/requests/${request}`);
  const action = `/manage/requests/${request}/approve`;
  await page.evaluate(sendApproval, { action, as, issuedOn });
  const { order_id: id } = await pharmacy.call<{ order_id: string }>('GET', `/order-requests/${request}`);
  if (!id) throw new Error('The request was not approved.');
  await pharmacy.call('PATCH', `/orders/${id}`, { status: 'ready_pickup' });
  return { id, path: `/manage/orders/${id}` };
}

/** Runs in the page. */
async function sendApproval({ action, as, issuedOn }: { action: string; as: string; issuedOn: string }): Promise<void> {
  const tick = document.querySelector<HTMLInputElement>('[name^="checked-"]');
  if (!tick?.form) throw new Error('There is no prescription to check.');
  const id = tick.name.slice('checked-'.length);
  const body = new FormData(tick.form);
  body.set(tick.name, tick.value);
  body.set(`as-${id}`, as);
  body.set(`issued-${id}`, issuedOn);
  for (const box of document.querySelectorAll<HTMLInputElement>('[name="acknowledged"]')) {
    body.append('acknowledged', box.value);
  }
  const fields = [...body].map(([name, value]) => [name, String(value)]);
  await fetch(action, { method: 'POST', body: new URLSearchParams(fields) });
}

/** Sends a form that the page does not have, with the token of one that it has. */
export function forge(page: Page, path: string, fields: Record<string, string>): Promise<void> {
  return page.evaluate(
    async ({ path, fields }) => {
      const form = document.querySelector<HTMLFormElement>('form[method="post"]');
      const hidden = [...new FormData(form ?? undefined)].filter(([name]) => name.startsWith('form_'));
      const all = [...hidden.map(([name, value]) => [name, String(value)]), ...Object.entries(fields)];
      await fetch(path, { method: 'POST', body: new URLSearchParams(all) });
    },
    { path, fields },
  );
}

/** What the labels of an order say. */
export async function labelOf(page: Page, { path }: Placed): Promise<string> {
  await page.goto(`${path}/label`);
  return String(await page.getByRole('img').first().getAttribute('aria-label'));
}
