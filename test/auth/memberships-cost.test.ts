import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { accept, Browser, freshEmail, PASSWORD, signIn } from '../management/browser';
import { costOf } from '../support/cost';
import { openOrganization } from '../support/operator';
import { ONE_DATABASE, rows } from '../support/world';
import { hashesOf } from './hashes';

const OTHER = 'ein ganz anderes Wort';

test('with one database, one hash and two round trips sign in, one of each refuse, whether an address has no membership, one or three', async () => {
  const emails = [freshEmail(), freshEmail(), freshEmail()];
  for (const [email, count] of [
    [emails[1] ?? '', 1],
    [emails[2] ?? '', 3],
  ] as const) {
    for (let index = 0; index < count; index += 1) {
      await accept(await openOrganization(), email, index === count - 1 ? PASSWORD : `${OTHER} ${index}`);
    }
  }
  // The first refusal of an isolate asks whether the directory is there.
  await signIn(new Browser({ env: ONE_DATABASE }), freshEmail());
  for (const email of emails) {
    for (const password of ['not the password', PASSWORD]) {
      const browser = new Browser({ env: ONE_DATABASE });
      const { token } = await browser.get('/manage/sign-in');
      const isIn = password === PASSWORD && email !== emails[0];
      const hashes = await hashesOf(async () => {
        const cost = await costOf(() => browser.post('/manage/sign-in', { form_token: token, email, password }));
        expect(cost.roundTrips).toBe(isIn ? 2 : 1);
      });
      expect(hashes).toBe(1);
      expect(Boolean(browser.session)).toBe(isIn);
    }
  }
});

test('a password from before, with a salt of its own, goes on counting, also beside a new membership', async () => {
  const [a, b] = [await openOrganization(), await openOrganization()];
  const email = freshEmail();
  await accept(a, email, PASSWORD);
  // Node’s scrypt of „drei Löwen am Markt“ under a random salt: what the service stored before salts were shared.
  const old = 'scrypt$32768$8$1$AAECAwQFBgcICQoLDA0ODw==$DxheUea2evI+po15JjA/ykBMmF4Fd6gYFx7l/zOi83Y=';
  const [member] = await rows<{ id: string }>('select id from members where email = ?', email);
  await env.DB.prepare('update staff_accounts set password_hash = ? where member_id = ?')
    .bind(old, member?.id ?? '')
    .run();
  expect(await signIn(new Browser(), email, PASSWORD)).toMatchObject({ status: 303, location: '/manage' });
  await accept(b, email, OTHER);
  for (const password of [PASSWORD, OTHER]) {
    const hashes = await hashesOf(async () => {
      expect(await signIn(new Browser(), email, password)).toMatchObject({ status: 303, location: '/manage' });
    });
    expect(hashes).toBe(1);
  }
});
