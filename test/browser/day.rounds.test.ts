import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { Catcher, type Post, verifyWithEveryLibrary } from '../node/support/catcher';
import { eventually } from '../support/eventually.ts';
import { de, en } from '../support/messages';
import { rounds } from '../support/rounds';
import {
  AMOXICILLIN,
  areaNamed,
  openContext,
  openPharmacy,
  PASSWORD,
  startedService,
  submit,
} from './support/fixtures';
import { type Hands, keyboard, mouse } from './support/input-methods';

const service = startedService();
let browser: Browser;
let catcher: Catcher;

beforeAll(async () => {
  catcher = await new Catcher().open();
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  catcher?.close();
});

const EVENTS = [
  'order_request_submitted',
  'prescription_approved',
  'order_request_approved',
  'order_created',
  'order_status_updated',
  'order_marked_paid',
] as const;

const DAYS = [
  { language: 'German', by: 'mouse', locale: 'de-DE', t: de, hands: mouse },
  { language: 'German', by: 'keyboard alone', locale: 'de-DE', t: de, hands: keyboard },
  { language: 'English', by: 'mouse', locale: 'en-GB', t: en, hands: mouse },
  { language: 'English', by: 'keyboard alone', locale: 'en-GB', t: en, hands: keyboard },
];

test.each(rounds([0], [0, 1, 2, 3]).flatMap((index) => DAYS[index] ?? []))(
  'a whole day, in $language, by $by: from the key and the subscription to the medicine handed over',
  async ({ by, locale, t, hands }) => {
    const pharmacy = await openPharmacy(service, 'Löwen-Apotheke');
    const person = newPerson(locale, t, hands);

    // The owner takes up the invitation, makes a key for the platform and a subscription, and invites a pharmacist.
    const owner = await person(await pharmacy.invite('owner', `owner-${randomUUID()}@example.com`), 'Erika Muster');
    await owner.go(t.shared.nav.settings, t.shared.nav.keys);
    await owner.write(t.shared.common.name, 'telemed');
    await owner.send(t.keys.createTitle);
    const key = await owner.shownOnce(t.keys.madeTitle('telemed'));

    const url = catcher.url(`/day-${locale}-${by.slice(0, 5)}`);
    await owner.go(t.shared.nav.webhooks);
    await owner.write(t.webhooks.subscriptions.url, url);
    for (const type of EVENTS) await hands.tick(owner.page.getByRole('checkbox', { name: type }));
    await owner.send(t.webhooks.subscriptions.create);
    const secret = await owner.shownOnce(t.webhooks.subscriptions.secretTitle(new URL(url).host));

    // A test event shows that the subscriber's server is reachable.
    await owner.go(t.shared.nav.webhooks);
    await hands.follow(owner.page.getByRole('link', { name: url, exact: true }));
    const tested = await owner.page
      .getByLabel(t.webhooks.deliveries.triggers.event, { exact: true })
      .first()
      .inputValue();
    await owner.send(t.webhooks.deliveries.test.send);
    await arrived(url, [tested], secret);

    const email = `pharmacist-${randomUUID()}@example.com`;
    await owner.go(t.shared.nav.members);
    await owner.write(t.shared.common.email, email);
    await hands.tick(owner.page.getByRole('radio', { name: t.shared.roles.pharmacist }));
    await owner.send(t.members.invite);
    const invitation = await owner.shownOnce(t.members.linkTitle(email));

    // A platform posts; it knows no product of the pharmacy's.
    const item = { name: 'Amoxicillin 750 Tabletten', quantity: 2, price: 13.45 };
    const customer = 'Zoë Großmann';
    await submit({ ...pharmacy, key }, { customer_name: customer, items: [item] });
    await submit({ ...pharmacy, key }, { customer_name: 'Somebody else' });

    // The pharmacist finds it, reads the prescription, finds the product, approves both.
    const pharmacist = await person(invitation, 'Kemal Öztürk');
    const { page } = pharmacist;
    const search = page.getByRole('main').getByRole('searchbox', { name: t.requests.search });
    await hands.jump('f', search);
    await hands.write(search, 'zoë gro');
    await pharmacist.send(t.shared.common.show);
    expect(await page.getByRole('row').count()).toBe(2);
    const pdf = page.waitForResponse((response) => response.url().endsWith('/pdf'));
    await hands.follow(page.getByRole('link', { name: customer }));
    expect((await pdf).headers()['content-type']).toBe('application/pdf');
    // One approval: the prescription is checked for the line as it is typed.
    await hands.press(page.locator('#change-0'));
    await hands.write(page.locator('[name="product-0"]'), AMOXICILLIN);
    const tick = page.getByRole('checkbox', { name: t.requests.checkedOne(t.shared.prescriptions.title) });
    await tick.and(page.locator(':not([aria-disabled])')).waitFor();
    await hands.choose(page.getByLabel(t.requests.checkedAs), t.requests.checkedAsTexts.original_present);
    await hands.tick(tick);
    await pharmacist.send(t.requests.approve);
    await pharmacist.saw(t.shared.decided.did.request_approved);

    // It is packed, paid and handed over.
    await pharmacist.go(t.shared.nav.orders);
    await hands.follow(page.getByRole('row', { name: customer }).getByRole('link').first());
    await hands.follow(page.getByRole('button', { name: t.packing.byHand }));
    await pharmacist.saw(t.shared.flash.line_packed);
    await hands.jump('a', page.getByRole('button', { name: t.orders.steps.ready_pickup }));
    await pharmacist.send(t.orders.steps.ready_pickup);
    await pharmacist.saw(t.shared.flash.order_moved);
    await pharmacist.send(t.orders.markPaid);
    await pharmacist.saw(t.shared.flash.order_paid);
    await hands.follow(page.getByRole('main').getByRole('link', { name: t.orders.steps.picked_up, exact: true }));
    await hands.jump('a', page.getByRole('button', { name: t.leaving.handOver }));
    await pharmacist.send(t.leaving.handOver);
    await pharmacist.saw(t.shared.flash.order_collected);

    // The subscriber received an event for each step, and the owner sees the deliveries.
    const told = [tested, ...EVENTS, 'order_request_submitted', 'order_status_updated'];
    await arrived(url, told, secret);
    await owner.go(t.shared.nav.webhooks);
    await hands.follow(owner.page.getByRole('link', { name: url, exact: true }));
    const delivered = owner.page.getByRole('row').filter({ hasText: t.webhooks.deliveries.statuses.succeeded });
    await eventually(async () => {
      await owner.page.reload();
      expect(await delivered.count()).toBe(told.length);
    });
    await hands.follow(delivered.filter({ hasText: t.webhooks.eventTypes.order_marked_paid }).getByRole('link'));
    await owner.send(t.webhooks.deliveries.redeliver);
    await owner.saw(t.shared.flash.redelivered);
    const posts = await arrived(url, [...told, 'order_marked_paid'], secret);
    const [first, again] = posts.filter(({ headers }) => headers['x-service-event'] === 'order_marked_paid');
    expect(again?.body).toBe(first?.body);
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.headers['x-service-delivery-id']).not.toBe(first?.headers['x-service-delivery-id']);

    for (const { page } of [owner, pharmacist]) await page.context().close();
  },
);

/** People who accept an invitation, which signs them in, and then find every control by its visible text. */
function newPerson(locale: string, t: typeof de, hands: Hands) {
  return async (invitation: string, name: string) => {
    const context = await openContext(browser, { locale });
    const page = await context.newPage();
    const person = personAt(page, hands);
    await page.goto(invitation);
    await person.write(t.signIn.invitation.name, name);
    await person.write(t.signIn.password, PASSWORD);
    await person.send(t.signIn.invitation.submit);
    await person.saw(t.shared.flash.accepted);
    return person;
  };
}

function personAt(page: Page, hands: Hands) {
  return {
    page,
    /** Opens an area through the navigation. */
    async go(...names: string[]): Promise<void> {
      for (const name of names) {
        await hands.follow(page.getByRole('navigation').getByRole('link', { name: areaNamed(name) }));
      }
    },
    write: (label: string, text: string) =>
      hands.write(page.getByRole('main').getByLabel(label, { exact: true }), text),
    send: (button: string) => hands.follow(page.getByRole('main').getByRole('button', { name: button, exact: true })),
    shownOnce: (label: string) => page.getByRole('textbox', { name: label }).inputValue(),
    saw: (message: string) => page.getByRole('status').getByText(message).waitFor(),
  };
}

/** Waits for exactly these events, in any order, and verifies each with every public library. */
async function arrived(url: string, types: readonly string[], secret: string): Promise<Post[]> {
  const posts = () => catcher.at(new URL(url).pathname);
  const said = () =>
    posts()
      .map(({ headers }) => headers['x-service-event'])
      .toSorted();
  await eventually(() => expect(said()).toEqual(types.toSorted()));
  for (const webhook of posts()) await verifyWithEveryLibrary(webhook, secret);
  return posts();
}
