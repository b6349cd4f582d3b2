import { de } from '../support/messages';
import { openApprovable, requestRow } from '../support/order-flow';
import { openSeller } from '../support/seller';
import { test as base, expect } from '../support/test';
import { everywhere } from '../support/world';
import { type Browser, enter, signIn } from './browser';
import { formOn, saidOn } from './page-forms';

const NOTE = 'Telefonisch geklärt';

async function openDesk() {
  const seller = await openSeller();
  const { browser, email } = await enter(seller.orgId, 'owner');
  const { id } = await openApprovable(seller);
  const path = `/manage/requests/${id}`;
  const page = await browser.get(path);
  const fields: Record<string, string> = {
    ...formOn(page, `${path}/reject`),
    reason_code: 'customer_withdrew',
    reject_note: NOTE,
  };
  return { seller, browser, email, id, path, fields };
}

type Desk = Awaited<ReturnType<typeof openDesk>>;
const test = base.extend('desk', () => openDesk());

/** The session ends in the database: the browser still has its cookie. */
async function endSessions({ email }: Pick<Desk, 'email'>): Promise<void> {
  await everywhere('delete from staff_sessions where member_id in (select id from members where email = ?)', email);
}

/** The session's cookie ran out: the browser sends none. */
function loseCookie({ browser }: Pick<Desk, 'browser'>): void {
  for (const name of [...browser.cookies.keys()]) if (name.endsWith('.session_token')) browser.cookies.delete(name);
}

const sent = ({ browser, path }: Desk, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  browser.send(`${path}/reject`, { method: 'POST', headers, body: new URLSearchParams(fields) });

test.each([
  ['in the database', endSessions],
  ['in the browser', loseCookie],
])(
  'a form whose session has ended, %s, changes nothing, asks to sign in, and leads back to its page',
  async (_, end) => {
    const desk = await openDesk();
    await end(desk);
    const asked = await sent(desk, desk.fields, { Referer: `http://localhost:8787${desk.path}` });
    expect(asked.status).toBe(401);
    expect(saidOn(asked)).toContain(de.signIn.ended);
    expect(asked.text).not.toContain(NOTE);
    expect(formOn(asked, '/manage/sign-in').next).toBe(desk.path);
    expect(await requestRow(desk.id)).toMatchObject({ status: 'pending' });
  },
);

test('no other site says where a sign-in leads', async ({ desk }) => {
  loseCookie(desk);
  for (const Referer of ['https://evil.example/manage/orders', 'http://localhost:8787/elsewhere', 'x']) {
    expect(formOn(await sent(desk, desk.fields, { Referer }), '/manage/sign-in').next).toBe('/manage');
  }
});

test('a file of an ended session is not read', async ({ desk }) => {
  await endSessions(desk);
  const body = new FormData();
  body.set('form_token', desk.fields.form_token ?? '');
  body.set('prescription_file', new File(['%PDF-1.7'], 'rezept.pdf', { type: 'application/pdf' }));
  expect(await desk.browser.send(`${desk.path}/prescription`, { method: 'POST', body })).toMatchObject({ status: 401 });
});

test('a form is sent in the session that follows with its token alone, which pages ask for together with whose it is', async ({
  desk,
}) => {
  const { browser, email, id, fields, seller } = desk;
  const rail = async (of: Browser) => JSON.parse((await of.get('/manage/rail')).text);
  const before = await rail(browser);
  expect(before.formToken).toBe(fields.form_token);
  expect((await browser.get(desk.path)).text).toContain(`data-person="${before.person}"`);
  await endSessions(desk);
  loseCookie(desk);
  expect(await signIn(browser, email)).toMatchObject({ status: 303 });
  expect((await sent(desk, fields)).status).toBe(403);
  expect(await requestRow(id)).toMatchObject({ status: 'pending' });

  const other = await enter(seller.orgId, 'owner', 'Ada Öz');
  const theirs = await rail(other.browser);
  expect(theirs).toMatchObject({ name: expect.stringMatching(/^Ada Öz, /) });
  expect(theirs.person).not.toBe(before.person);
  expect((await sent(desk, { ...fields, form_token: theirs.formToken })).status).toBe(403);

  const { formToken, person } = await rail(browser);
  expect(person).toBe(before.person);
  expect(await sent(desk, { ...fields, form_token: formToken })).toMatchObject({ status: 303 });
  expect(await requestRow(id)).toMatchObject({ status: 'rejected', reason_note: NOTE });
});
