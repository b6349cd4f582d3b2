import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { SignatureChecks } from '../../src/index';
import { readFacts } from '../../src/order-requests/review/facts';
import { assess, planApproval } from '../../src/order-requests/review/plan';
import { toBase64, utf8 } from '../../src/platform/crypto/crypto';
import { choicesOf } from '../../src/prescriptions/check';
import type { Bytes } from '../../src/signatures/bytes';
import { keepList } from '../../src/signatures/trust/keep';
import worker from '../../src/signatures/worker';
import {
  extension,
  forTimestamps,
  type Holder,
  issue,
  nameOf,
  ocsp,
  oid,
  QES,
  seq,
  tlv,
} from '../signatures/authority';
import { bytesOf, BASE as CONTENT, field, type Objects, signed, stream, update } from '../signatures/pdfs';
import { trustedList } from '../signatures/trust-lists';
import { openConnector, staffContext } from '../support/order-flow';
import { type CatalogRow, holdProduct, type OrganizationApi } from '../support/organization';
import { outsideAnswers } from '../support/outbound';
import { expect, test } from '../support/test';
import { bindings, envelope, operate, rows } from '../support/world';

/** A day of a pharmacy that three platforms send to: 200 requests, as they send them. */
const DAY = { none: 50, remote: 60, short: 35, card: 20, unsigned: 25, scan: 10 } as const;
type Kind = keyof typeof DAY;

const HOUR = 3_600_000;
const at = (hours: number): string => `${new Date(Date.now() + hours * HOUR).toISOString().slice(0, 19)}Z`;

const SHORT_TERM = extension('0.4.0.194121.2.1', tlv(0x05));
const responder = (url: string): Bytes =>
  extension('1.3.6.1.5.5.7.1.1', seq(seq(oid('1.3.6.1.5.5.7.48.1'), tlv(0x86, utf8(url)))));

/** Who signs: doctors by remote signature, by certificates of a day, by cards of two authorities. */
async function openSigners() {
  const name = nameOf(['2.5.4.6', 'DE'], ['2.5.4.3', 'CA']);
  const root = await issue(null, { name, isAuthority: true, from: '2017-01-01T00:00:00Z' });
  const stamper = await issue(root, { extensions: [forTimestamps] });
  const remote = await issue(root, { extensions: QES });
  const short = await issue(root, { key: 'p384', extensions: [...QES, SHORT_TERM], from: at(-12), to: at(12) });
  const card = async (host: string) =>
    issue(root, { key: 'bp256', extensions: [...QES, responder(`http://${host}.example.com/`)] });
  const [answered, silent] = [await card('ocsp'), await card('silent')];
  const services = [{ holder: root }, { holder: stamper, kind: 'TSA/QTST' as const }];
  const list = await trustedList(root, { services });
  await keepList(env.FILES, list, { territory: 'DE', isTrusted: () => true, wanted: null, now: Date.now() });
  return { root, stamper, remote, short, answered, silent };
}
type Signers = Awaited<ReturnType<typeof openSigners>>;

/** The nth prescription of a kind, in base64; null for none. */
async function prescriptionOf(kind: Kind, n: number, by: Signers): Promise<string | null> {
  if (kind === 'none') return null;
  const look = stream(`BT /F1 18 Tf 0 0 Td (Rezept ${kind} ${n}) Tj ET`);
  const scan = { ...CONTENT, 4: stream(`q 300 0 0 144 0 0 cm /Im1 Do Q % ${n}`) };
  const text = update('', kind === 'scan' ? scan : { ...CONTENT, 4: look });
  const base = (pdf: string): string => toBase64(bytesOf(pdf));
  const sign = (holder: Holder, cms = {}) =>
    signed(text, holder, { objects: field(), cms: { certificates: [by.root.certificate], at: at(-1), ...cms } });
  if (kind === 'remote') {
    const answer = await ocsp(by.root, by.remote, { thisUpdate: at(-1.2), nextUpdate: at(24) });
    const pdf = await sign(by.remote, { ocsps: [answer], timestampBy: by.stamper });
    // A platform's stamp on the page, a file that was damaged on its way, a title.
    if (n % 20 === 7) return base(update(pdf, stampOf(n)));
    if (n % 30 === 9) return base(pdf.replace(`(Rezept remote ${n})`, `(Rezepd remote ${n})`));
    return base(n % 6 === 1 ? update(pdf, { 8: '<<>>' }) : pdf);
  }
  if (kind === 'short') return base(await sign(by.short));
  if (kind === 'card') return base(await sign(n % 10 === 3 ? by.silent : by.answered, { isPlain: n % 2 === 0 }));
  // Printed anew: the look of a signature is left.
  return base(
    kind === 'unsigned' && n % 5 < 2 ? update(text, { 4: stream(`BT (signiert von Dr. X, ${n}) Tj ET`) }) : text,
  );
}

function stampOf(n: number): Objects {
  const annotations = '/Annots[51 0 R 70 0 R]';
  return {
    3: `<</Type/Page/Parent 2 0 R/Resources<</Font<</F1 7 0 R>>>>/Contents 4 0 R${annotations}>>`,
    70: `<</Type/Annot/Subtype/FreeText/Rect[0 0 90 20]/Contents(Nr. ${n})/DA(/F1 9 Tf)>>`,
  };
}

type Products = Record<'pills' | 'antibiotic' | 'flowers' | 'tins', CatalogRow>;

async function openProducts(api: OrganizationApi): Promise<Products> {
  const flowers = { unit: 'g', category: 'Blüten', price: 8.75, prescription_required: true } as const;
  return {
    pills: await holdProduct(api, { name: 'Ibuprofen 400 mg, 20 Stück', stock: 5_000, price: 4.95 }),
    antibiotic: await holdProduct(api, {
      ...{ name: 'Amoxicillin 1000 mg Filmtabletten, 20 Stück', price: 12.3 },
      ...{ stock: 5_000, prescription_required: true },
    }),
    flowers: await holdProduct(api, { ...flowers, name: 'OJ Zainbow 24/1', unit_step: 1, stock: 20_000 }),
    tins: await holdProduct(api, { ...flowers, name: 'Pink Kush 22/1', unit_step: 5, stock: 20_000 }),
  };
}

const ADDRESS = { address_street: 'Am Markt 1', address_postal_code: '20095', address_city: 'Hamburg' };
const item = ({ p1_id, name }: CatalogRow, quantity: number, price: number) => ({ p1_id, name, quantity, price });

/** Items and money of the nth request: fees, rounding, vouchers, co-payments, grams and tins. */
function contentOf(n: number, isPrescribed: boolean, { pills, antibiotic, flowers, tins }: Products) {
  const paid = { payment_status: 'paid', shipping_option: 'Versand', ...ADDRESS };
  const cash = { payment_status: 'cash_on_pickup', shipping_option: 'Abholung' };
  if (!isPrescribed) {
    const items = [item(pills, 2, 4.95)];
    if (n % 20 === 7) return { ...paid, items, total_amount: 4.9 };
    return [
      { ...cash, items, total_amount: 9.9 },
      { ...paid, items, total_amount: 14.8 },
      { ...paid, items, total_amount: 9.91 },
      { ...paid, items: [item(pills, 3, 4.95)], total_amount: 14.84 },
      { ...paid, items, total_amount: 14.8, fee_amount: 4.9 },
    ][n % 5];
  }
  // A co-payment instead of the price, a number that may be grams or tins, grams that are no whole tins.
  if (n % 60 === 2) return { ...paid, items: [item(antibiotic, 1, 5)], total_amount: 5 };
  if (n % 75 === 4) return { ...paid, items: [item(tins, 3, 20)], total_amount: 60 };
  if (n % 75 === 10) return { ...paid, items: [item(tins, 7, 8.75)], total_amount: 61.25 };
  return [
    { ...paid, items: [item(flowers, 11, 8.75)], total_amount: 96.25 },
    { ...paid, items: [item(tins, 3, 43.75)], total_amount: 131.25 },
    { ...cash, items: [item(antibiotic, 1, 12.3)], total_amount: 12.3 },
    { ...paid, items: [item(flowers, 30, 8.75)], total_amount: 268.4 },
    { ...paid, items: [item(tins, 2, 43.77)], total_amount: 87.54 },
    { ...paid, items: [item(antibiotic, 2, 12.3)], total_amount: 29.5 },
  ][n % 6];
}

/** The Worker that checks signatures gets its message. */
async function checked(id: string): Promise<void> {
  const fetch = (url: string, init: RequestInit) =>
    SignatureChecks.fetch(new Request(url, init) as never, bindings(), createExecutionContext());
  const messages = [{ body: { v: 2, shard: 0, id }, attempts: 1 }];
  await worker.queue({ messages } as never, { FILES: env.FILES, MAIN: { fetch }, REVOCATION_CALLS: 'on' } as never);
}

/** What staff answer before they accept a request whose prescription they tick as the page presets it, by code. */
async function askedOf(orgId: string, id: string): Promise<string[]> {
  const { ctx } = staffContext(orgId, 'pharmacist');
  const facts = await readFacts(ctx, orgId, id);
  const checks = facts.prescriptions.map((row) => ({
    ...{ prescriptionId: row.id, sha256: row.sha256 ?? '', issuedOn: null },
    as: choicesOf(row).includes('signed_file') ? ('signed_file' as const) : ('original_follows' as const),
  }));
  expect(assess(ctx, facts).blockers.length).toBeGreaterThanOrEqual(checks.length);
  const { blockers } = planApproval(ctx, facts, { checked: checks });
  return blockers.map(({ code }) => code);
}

const STOPS = new Set(['signature_failed']);
const OF_SIGNATURES = new Set(['signature_failed', 'signature_unconfirmed']);

test('of 200 requests of a day, few ask staff anything', async ({ api, annotate }) => {
  const by = await openSigners();
  const products = await openProducts(api);
  const submit = await openConnector(api);
  outsideAnswers(async ({ url }) =>
    url.includes('//ocsp.')
      ? new Response((await ocsp(by.root, by.answered, { thisUpdate: at(-0.1), nextUpdate: at(1) })) as BodyInit)
      : new Response(null, { status: 503 }),
  );
  const ids: string[] = [];
  let n = 0;
  for (const [kind, count] of Object.entries(DAY) as [Kind, number][]) {
    for (let of = 0; of < count; of += 1, n += 1) {
      const pdf = await prescriptionOf(kind, of, by);
      const content = { ...contentOf(kind === 'none' ? of : n - DAY.none, pdf !== null, products) };
      const payload = { ...content, customer_email: `person-${n}@example.com` };
      const answer = await submit(envelope({ ...payload, ...(pdf && { prescription_pdf_base64: pdf }) }));
      expect(answer.status, await answer.clone().text()).toBe(200);
      ids.push((await answer.json<{ id: string }>()).id);
    }
  }
  const stored = await rows<{ id: string }>('select id from prescriptions where org_id = ?', api.orgId);
  for (const { id } of stored) await checked(id);

  const counted = async () => {
    const codes = (await Promise.all(ids.map((id) => askedOf(api.orgId, id)))).flat();
    const by: Record<string, number> = {};
    for (const code of codes) by[code] = (by[code] ?? 0) + 1;
    const count = (is: (code: string) => boolean) => codes.filter(is).length;
    return {
      by,
      stops: count((each) => STOPS.has(each)),
      ticks: count((each) => !STOPS.has(each)),
      money: count((each) => !OF_SIGNATURES.has(each)),
    };
  };
  const verdicts = await rows<{ status: string; sub: string | null; later: string; count: number }>(
    `select signature_report ->> 'status' as status, signature_report ->> 'subIndication' as sub,
      signature_report ->> 'laterChanges' as later, count(*) as count from prescriptions where org_id = ? group by 1, 2, 3`,
    api.orgId,
  );
  const inform = await counted();
  await operate(`/organizations/${api.orgId}`, { signature_check: 'enforce' }, 'PATCH');
  const enforce = await counted();
  await annotate(JSON.stringify({ verdicts, inform, enforce }), 'counts');
  expect(inform.stops).toBe(0);
  expect(inform.money).toBeLessThanOrEqual(12);
  expect(enforce.money).toBe(inform.money);
  expect(enforce.ticks).toBeLessThanOrEqual(20);
  expect(enforce.stops).toBeLessThanOrEqual(10);
  // Whoever asks nothing has checked nothing.
  expect(enforce.stops).toBe(2);
  expect(enforce.by.signature_unconfirmed).toBe(5);
});
