import { addPrescription } from '../../src/order-requests/service';
import { fromBase64 } from '../../src/platform/crypto';
import { cronAt } from '../support/invocations';
import { de } from '../support/messages';
import { itemOf, openApprovable, openPrescribed, requestRow, staffContext } from '../support/order-flow';
import { openSeller, placeOrder, type Seller } from '../support/seller';
import { test as base, expect, vi } from '../support/test';
import { PDF_BASE64, rows } from '../support/world';
import { type Browser, enter, type Page, signIn } from './browser';
import { follow, formOn, saidOn, tickedOn } from './page-forms';

const SIGN_IN = '/manage/sign-in';
const NOTE = 'Telefonisch geklärt: „nein“ & <b>\'"; 5 > 4';

interface Desk {
  seller: Seller;
  browser: Browser;
  email: string;
  id: string;
  path: string;
}

async function openDesk(): Promise<Desk> {
  const seller = await openSeller();
  const { browser, email } = await enter(seller.orgId, 'owner');
  const { id } = await openApprovable(seller);
  return { seller, browser, email, id, path: `/manage/requests/${id}` };
}

const test = base.extend('desk', () => openDesk());

/** The session ends in the database: the browser still has its cookie. */
async function endSessions({ email }: { email: string }): Promise<void> {
  await rows('delete from staff_sessions where member_id in (select id from members where email = ?)', email);
}

/** The session's cookie ran out: the browser sends none. */
function loseCookie({ browser }: { browser: Browser }): void {
  for (const name of [...browser.cookies.keys()]) if (name.endsWith('.session_token')) browser.cookies.delete(name);
}

/** Rejects with a note on the page of a request. */
async function rejection({ browser, path }: Desk): Promise<Record<string, string>> {
  return { ...formOn(await browser.get(path), `${path}/reject`), reason_code: 'customer_withdrew', reject_note: NOTE };
}

/** Signs in on the page that answered the form. */
function signInOn(browser: Browser, page: Page, email: string, password?: string): Promise<Page> {
  return browser.post(SIGN_IN, { ...formOn(page, SIGN_IN), email, password: password ?? 'drei Löwen am Markt' });
}

test.each([
  ['in the database', endSessions],
  ['in the browser', loseCookie],
])('a session that ends mid-form, %s, gives the fields back after signing in, unsent', async (_, end) => {
  const desk = await openDesk();
  const { browser, path, id, email } = desk;
  const filled = await rejection(desk);
  await end(desk);
  const asked = await browser.post(`${path}/reject`, filled);
  expect(asked.status).toBe(401);
  expect(saidOn(asked)).toContain('Ihre Sitzung ist beendet');
  expect(asked.text).not.toContain('Telefonisch');
  expect(asked.headers.get('Cache-Control')).toBe('no-store, no-transform');
  expect(asked.cookies.join()).not.toContain('Telefonisch');
  const page = await follow(browser, await signInOn(browser, asked, email));
  expect(page.status).toBe(200);
  expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  const again = formOn(page, `${path}/reject`);
  expect(again).toMatchObject({ reason_code: 'customer_withdrew', reject_note: NOTE });
  expect(page.text).toMatch(/<details class="pop[^"]*"[^>]* open/);
  expect(saidOn(page)).toContain('Ihre Eingaben sind wieder da');
  expect(await browser.post(`${path}/reject`, again)).toMatchObject({ status: 303 });
  expect(await requestRow(id)).toMatchObject({ status: 'rejected', reason_note: NOTE });
});

test('a reload of the refused form says the same, and leads to the fields after a sign-in', async ({ desk }) => {
  const { browser, path, email } = desk;
  const filled = await rejection(desk);
  await endSessions(desk);
  for (let reload = 0; reload < 2; reload += 1) {
    const page = await browser.post(`${path}/reject`, filled);
    expect(page.status).toBe(401);
    expect(formOn(page, SIGN_IN)).toHaveProperty('form_resume');
  }
  expect(await signIn(browser, email)).toMatchObject({ status: 303 });
  const page = await follow(browser, await browser.post(`${path}/reject`, filled));
  expect(formOn(page, `${path}/reject`)).toMatchObject({ reject_note: NOTE });
});

test('a wrong password in between loses nothing', async ({ desk }) => {
  const { browser, path, email } = desk;
  const filled = await rejection(desk);
  await endSessions(desk);
  const refused = await signInOn(browser, await browser.post(`${path}/reject`, filled), email, 'falsch');
  expect(refused.status).toBe(401);
  const page = await follow(browser, await signInOn(browser, refused, email));
  expect(formOn(page, `${path}/reject`)).toMatchObject({ reject_note: NOTE });
});

test('whoever else signs in gets nothing of it: not on the page, not by its address', async ({ desk }) => {
  const { browser, path, seller } = desk;
  const other = await enter(seller.orgId, 'owner');
  const filled = await rejection(desk);
  await endSessions(desk);
  const asked = await browser.post(`${path}/reject`, filled);
  const page = await follow(browser, await signInOn(browser, asked, other.email));
  expect(page.status).toBe(200);
  expect(page.text).not.toContain('Telefonisch');
  const elsewhere = await browser.post(`${path}/reject`, filled);
  expect(elsewhere.status).toBe(403);
  expect(elsewhere.text).not.toContain('Telefonisch');
});

test('nobody’s form comes back that was not made for the person: a made-up origin is refused without a look at the database', async () => {
  const desk = await openDesk();
  const { browser, path, seller } = desk;
  const other = await enter(seller.orgId, 'owner');
  const filled = await rejection(desk);
  const foreign = formOn(await other.browser.get(path), `${path}/reject`);
  const another = await openSeller();
  await endSessions(desk);
  for (const form_origin of [
    undefined,
    filled.form_origin?.replace(/\../, (first) => (first === '.0' ? '.1' : '.0')),
    filled.form_origin?.replace(path, '/manage/orders'),
    foreign.form_origin?.replace(/(\.[\w-]{36})\.[\w-]{36}\./, `$1.${filled.form_origin?.split('.')[3]}.`),
    filled.form_origin?.replace(/\.[\w-]{36}\./, `.${another.orgId}.`),
  ]) {
    const { form_origin: _, ...rest } = filled;
    loseCookie(desk);
    const page = await browser.post(`${path}/reject`, { ...rest, ...(form_origin && { form_origin }) });
    expect(page.status).toBe(403);
    expect(page.text).not.toContain('form_resume');
  }
});

test('it lies encrypted, for 30 minutes at most, and passwords are not carried', async ({ desk }) => {
  const { browser, email } = desk;
  const account = '/manage/account';
  const filled = {
    ...formOn(await browser.get(account), `${account}/password`),
    current: 'das alte Passwort',
    next: 'das neue Passwort',
  };
  await endSessions(desk);
  const asked = await browser.post(`${account}/password`, filled);
  const page = await follow(browser, await signInOn(browser, asked, email));
  expect(page.text).not.toContain('neue Passwort');
  expect(await rows('select 1 from staff_page_data where instr(sealed, ?) > 0', email)).toEqual([]);

  const rejected = await rejection(desk);
  await endSessions(desk);
  const late = await browser.post(`${desk.path}/reject`, rejected);
  const now = Date.now();
  vi.spyOn(Date, 'now').mockReturnValue(now + 31 * 60_000);
  const after = await follow(browser, await signInOn(browser, late, email));
  expect(after.text).not.toContain('Telefonisch');
  expect(saidOn(after)).toContain('älter als 30 Minuten');
});

test('every kind of field comes back: ticks, choices, the right row of a list; what the page was made from stays what it was', async () => {
  const desk = await openDesk();
  const { browser, email } = desk;
  const webhooks = '/manage/settings/webhooks';
  const filled = {
    ...formOn(await browser.get(webhooks), webhooks),
    url: 'https://neu.example.com',
    order_created: 'on',
    sources: 'a.example',
  };
  await endSessions(desk);
  const page = await follow(browser, await signInOn(browser, await browser.post(webhooks, filled), email));
  const { form_token: _t, form_id: _i, form_origin: _o, ...typed } = formOn(page, webhooks);
  expect(typed).toEqual({ url: 'https://neu.example.com', order_created: 'on', sources: 'a.example' });

  const { product } = await openApprovable(desk.seller);
  await openApprovable(desk.seller);
  const list = await browser.get('/manage/products');
  const action = /action="(\/manage\/products(?![^"#?])[^"#]*)#/.exec(list.text)?.[1] ?? '';
  const changed = { form_token: list.token, form_origin: formOn(list, '/manage/language').form_origin ?? '' };
  await endSessions(desk);
  const stock = { ...changed, p1_id: product.p1_id, change: '+7', reason: 'delivery' };
  const again = await follow(browser, await signInOn(browser, await browser.post(action, stock), email));
  const row = again.text.split('<form').find((form) => form.includes('id="resumed-form"')) ?? '';
  expect(row).toContain(`name="p1_id" value="${product.p1_id}"`);
  expect(row).toContain('value="+7"');

  const organization = '/manage/settings/organization';
  const old = formOn(await browser.get(organization), organization);
  await rows(
    'update organizations set name = ?, updated_at = updated_at + 5 where id = ?',
    'Andere',
    desk.seller.orgId,
  );
  await endSessions(desk);
  const renamed = { ...old, name: 'Meine Apotheke' };
  const shown = await follow(browser, await signInOn(browser, await browser.post(organization, renamed), email));
  const back = formOn(shown, organization);
  expect(back).toMatchObject({ name: 'Meine Apotheke', seenAt: old.seenAt });
  expect((await browser.post(organization, back)).status).toBe(400);
});

test('lines of an approval come back, and what has no place on the page any more is listed', async ({ desk }) => {
  const { browser, path, email, seller } = desk;
  const { product } = await openApprovable(seller);
  const { p1_id } = itemOf(product);
  const filled = {
    ...formOn(await browser.get(path), `${path}/approve`),
    'product-0': p1_id,
    'quantity-0': '3',
    'product-7': 'P1-VERLOREN',
  };
  await endSessions(desk);
  const page = await follow(browser, await signInOn(browser, await browser.post(`${path}/approve`, filled), email));
  expect(formOn(page, `${path}/approve`)).toMatchObject({ 'product-0': p1_id, 'quantity-0': '3' });
  expect(saidOn(page)).toContain('P1-VERLOREN');
});

test('a review whose prescriptions changed while somebody signed in again keeps what was typed, and approves nothing unseen', async ({
  desk,
}) => {
  const { browser, email, seller } = desk;
  const { id } = await openPrescribed(seller);
  const path = `/manage/requests/${id}`;
  const before = await browser.get(path);
  const filled = tickedOn(before, `${path}/approve`, { 'quantity-0': '1' });
  await endSessions(desk);
  const signIn = await browser.post(`${path}/approve`, filled);
  await addPrescription(staffContext(seller.orgId).ctx, { id, bytes: fromBase64(PDF_BASE64) });
  const page = await follow(browser, await signInOn(browser, signIn, email));
  expect(formOn(page, `${path}/approve`)).toMatchObject({ 'quantity-0': '1' });
  const late = await browser.post(`${path}/approve`, tickedOn(page, `${path}/approve`));
  expect(late.status).toBe(409);
  expect(late.text).toContain(de.shared.requests.conflicts.prescriptions_changed);
});

test('too much is said to be lost before somebody signs in, and a file has to be chosen again', async ({ desk }) => {
  const { browser, path } = desk;
  const filled = { ...(await rejection(desk)), reject_note: 'x'.repeat(40_000) };
  const { token } = await browser.get(path);
  await endSessions(desk);
  const page = await browser.post(`${path}/reject`, filled);
  expect(page.status).toBe(401);
  expect(saidOn(page)).toContain('zu umfangreich');
  expect(page.text).not.toContain('form_resume');
  const body = new FormData();
  body.set('form_token', token);
  body.set('prescription_file', new File(['%PDF-1.7'], 'rezept.pdf', { type: 'application/pdf' }));
  const upload = await browser.send(`${path}/prescription`, { method: 'POST', body });
  const told = await follow(browser, upload);
  expect(saidOn(told)).toContain('Die Datei wurde nicht hochgeladen');
  expect(formOn(told, SIGN_IN).next).toBe(path);
});

test('a form in which nobody typed anything leads back to its page', async ({ desk }) => {
  const order = await placeOrder(desk.seller);
  const path = `/manage/orders/${order.id}`;
  const filled = formOn(await desk.browser.get(path), `${path}/payment-link`);
  await endSessions(desk);
  expect(await desk.browser.post(`${path}/payment-link`, filled)).toMatchObject({
    status: 303,
    location: `${SIGN_IN}?next=${encodeURIComponent(path)}`,
  });
});

test('what ended is swept away', async ({ desk }) => {
  const filled = await rejection(desk);
  await endSessions(desk);
  await signInOn(desk.browser, await desk.browser.post(`${desk.path}/reject`, filled), desk.email);
  const left = () =>
    rows('select 1 from staff_page_data where member_id in (select id from members where email = ?)', desk.email);
  expect(await left()).toHaveLength(1);
  const at = Date.parse('2099-01-01T10:17:00Z');
  vi.spyOn(Date, 'now').mockReturnValue(at);
  await cronAt(at);
  expect(await left()).toEqual([]);
});
