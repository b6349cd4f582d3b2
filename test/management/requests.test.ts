import { formatDate } from '../../src/management/ui/format';
import { addPrescription } from '../../src/order-requests/review/decisions';
import { fromBase64 } from '../../src/platform/crypto/crypto';
import { DAY_MS } from '../../src/platform/time';
import { fieldOn, fieldsOf, filledIn, linksOf } from '../support/html';
import { de } from '../support/messages';
import {
  approve,
  openApprovable,
  openPrescribed,
  openRequest,
  orderRow,
  requestRow,
  staffContext,
} from '../support/order-flow';
import { prescriptionRow } from '../support/prescriptions';
import { auditOf, insertRows, quoted } from '../support/rows';
import { test as base, describe, expect } from '../support/test';
import { operate, PDF_BASE64, PDF_TEXT, rows } from '../support/world';
import { type Browser, enter, type Page } from './browser';
import { countsOf, saidOn, tickedOn } from './page-forms';

const REQUESTS = '/manage/requests';

const test = base.extend('browser', async ({ api }) => {
  return (await enter(api.orgId, 'pharmacist', 'Dr. Ada Öz')).browser;
});

function hrefs(text: string): string[] {
  return [...text.matchAll(/class="go" href="\/manage\/requests\/([\w-]{36})"/g)].map(([, id = '']) => id);
}

/** The approval's form as the page shows it. */
function approvalOf(text: string): Record<string, string> {
  return filledIn(text, /<form\b[^>]* action="([^"]*\/requests\/[\w-]+\/approve)"/.exec(text)?.[1] ?? '');
}

async function sha256Of(prescriptionId: string): Promise<string> {
  return (await prescriptionRow(prescriptionId)).sha256 ?? '';
}

function approveOn(browser: Browser, id: string, changes: Record<string, string> = {}) {
  return browser.fill(`${REQUESTS}/${id}`, changes, `${REQUESTS}/${id}/approve`);
}

describe('the inbox', () => {
  test('shows what waits, on four tabs with their counts, the longest wait first', async ({ api, browser }) => {
    const first = await openApprovable(api);
    const second = await openApprovable(api, {
      payload: { prescription_pdf_base64: PDF_BASE64, total_amount: 1234.5 },
    });
    const approved = await openApprovable(api);
    await approve(api, approved.id);
    const inbox = await browser.get(REQUESTS);
    expect(inbox.status).toBe(200);
    expect(countsOf(inbox.text)).toEqual([2, 0, 1, 0]);
    expect(hrefs(inbox.text)).toEqual([first.id, second.id]);
    // What would leave the house, and that the platform says something else.
    expect(inbox.text).toMatch(/9,90\s&euro;/);
    expect(inbox.text).toContain('Gesamtbetrag weicht ab');
    expect(hrefs((await browser.get(`${REQUESTS}?tab=approved`)).text)).toEqual([approved.id]);
    expect(await browser.get('/manage')).toMatchObject({ status: 303, location: REQUESTS });
  });

  test('names what a request is short of', async ({ api, browser }) => {
    await openApprovable(api);
    expect((await browser.get(REQUESTS)).text).not.toContain('Bestand reicht nicht');
    const { product } = await openApprovable(api, { stock: 3, quantity: 77 });
    const { text } = await browser.get(REQUESTS);
    expect(text).toContain(`title="Bestand reicht nicht: ${product.name}
`);
    expect(text).toMatch(/<span class="chip bad"><svg.{1,99}<span>Bestand reicht nicht/);
  });

  test('filters by shop and goes on by a cursor', async ({ api, browser }) => {
    const other = await openRequest(api, {}, { shop_id: api.otherShopId });
    expect(hrefs((await browser.get(`${REQUESTS}?shop=${api.otherShopId}`)).text)).toEqual([other]);
    const id = `printf('01900000-0000-7000-8000-${api.orgId.slice(-6)}%06d', i)`;
    await insertRows('order_requests', 51, { id, org_id: quoted(api.orgId), shop_id: quoted(api.shopId) });
    const page = await browser.get(REQUESTS);
    expect(hrefs(page.text)).toHaveLength(50);
    const [next = ''] = linksOf(page.text, /after=/);
    expect(hrefs((await browser.get(next)).text)).toHaveLength(2);
  });

  test('searches names, e-mail, references and ids; a text that is too long is refused in place', async ({
    api,
    browser,
  }) => {
    const jörg = await openRequest(api, { customer_name: 'JÖRG Übel', customer_email: 'x@example.com' });
    const search = async (q: string) => hrefs((await browser.get(`${REQUESTS}?q=${encodeURIComponent(q)}`)).text);
    for (const q of ['jörg ü', 'X@EXAMPLE', jörg.slice(-12)]) expect(await search(q)).toEqual([jörg]);
    expect(await search('%')).toEqual([]);
    const long = await browser.get(`${REQUESTS}?q=${'ä'.repeat(65)}`);
    expect(long.status).toBe(400);
    expect(long.text).toContain('Höchstens 64 Zeichen');
    expect((await browser.get(`${REQUESTS}?q=${'ä'.repeat(64)}`)).text).toContain(de.requests.nothingFound);
  });

  test('empty, leads an owner to the first steps', async ({ api }) => {
    const { browser } = await enter(api.orgId, 'owner');
    expect((await browser.get(REQUESTS)).text).toContain('href="/manage/welcome"');
  });
});

describe('a request', () => {
  test('is no way to the prescription of another request', async ({ api, browser }) => {
    const [one, other] = [await openPrescribed(api), await openPrescribed(api)];
    const path = `${REQUESTS}/${one.id}`;
    const fields = { lines: '0', aside: other.prescriptionId, [`aside-${other.prescriptionId}`]: 'x' };
    for (const act of [`prescriptions/${other.prescriptionId}/fetch`, 'set-aside']) {
      const answer = await browser.submit(`${path}/${act}`, fields, path);
      expect(answer.status, act).toBe(404);
    }
    expect(await prescriptionRow(other.prescriptionId)).toMatchObject({ approved_at: null });
  });

  test('approved with a changed line is an order; the next is shown', async ({ api, browser, approvable: { id } }) => {
    const next = await openApprovable(api);
    const changed = { 'quantity-0': '1', 'price-0': '12,30' };
    const asked = await approveOn(browser, id, changed);
    expect(asked.status).toBe(409);
    const path = `${REQUESTS}/${id}/approve`;
    const answer = await browser.post(path, tickedOn(asked, path));
    expect(answer).toMatchObject({ status: 303, location: `${REQUESTS}/${next.id}` });
    const { order_id } = await requestRow(id);
    const { items } = await orderRow(String(order_id));
    expect(JSON.parse(String(items))).toMatchObject([{ quantity: 1, priceCents: 1230 }]);
    expect((await browser.get(`${REQUESTS}/${next.id}`)).text).toMatch(/Vorige Anfrage.*angenommen/s);
    expect(await approveOn(browser, next.id)).toMatchObject({ status: 303, location: REQUESTS });
  });

  test('that cannot be approved says why in place and keeps what was typed', async ({ api, browser }) => {
    const { id } = await openApprovable(api, { stock: 3 });
    const short = await approveOn(browser, id, { 'quantity-0': '77', 'price-0': '1,11' });
    expect(short.status).toBe(409);
    expect(short.text).toContain('77 angefragt, 3 vorrätig');
    expect(approvalOf(short.text)).toMatchObject({ 'quantity-0': '77', 'price-0': '1,11' });
    const wrong = await approveOn(browser, id, { 'quantity-0': 'viele', 'price-0': '1,234' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('id="quantity-0-fault"');
    expect(wrong.text).toContain('id="price-0-fault"');
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  });

  test('goes over an unmatched line with a reason alone', async ({ browser, requestId: id }) => {
    expect((await browser.get(`${REQUESTS}/${id}`)).text).toContain('name="override_reason"');
    const refused = await approveOn(browser, id);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('id="override_reason-fault"');
    expect(await approveOn(browser, id, { override_reason: 'telefonisch geklärt' })).toMatchObject({ status: 303 });
    expect(await requestRow(id)).toMatchObject({ status: 'approved', override_reason: 'telefonisch geklärt' });
  });

  test('shows allergies and the birth date of the platform once, in words', async ({ api, browser }) => {
    const id = await openRequest(api, { birth_date: '1980-02-29', allergies: ['Nüsse', 'Penicillin'], visits: 7 });
    const { text } = await browser.get(`${REQUESTS}/${id}`);
    expect(text).toContain(`<b>Allergien:</b> <bdi>Nüsse, Penicillin</bdi>`);
    expect(text).toContain('<code><bdi>visits</bdi></code>');
    for (const name of ['allergies', 'birth_date']) expect(text).not.toContain(`<bdi>${name}</bdi>`);
  });

  test('once decided, names its order on its page and in the list, and says so in its timeline', async ({
    browser,
    approvable,
  }) => {
    await approveOn(browser, approvable.id);
    const { text } = await browser.get(`${REQUESTS}/${approvable.id}`);
    const [{ number } = {}] = await rows('select number from orders where order_request_id = ?', approvable.id);
    expect(text).toMatch(new RegExp(`<a [^>]*data-decide[^>]*>[^<]*Bestellung ${number}`));
    expect(text.slice(text.indexOf('class="course"'))).toContain(de.shared.requests.tabs.approved);
    expect((await browser.get(`${REQUESTS}?tab=approved`)).text).toContain(`Bestellung ${number}</span>`);
  });

  test('is rejected with a reason, and a note where that says nothing', async ({ browser, requestId: id }) => {
    const reject = (fields: Record<string, string>) =>
      browser.submit(`${REQUESTS}/${id}/reject`, fields, `${REQUESTS}/${id}`);
    expect((await reject({ reject_note: 'aha' })).text).toContain('id="reason_code-fault"');
    const noteless = await reject({ reason_code: 'other' });
    expect(noteless.status).toBe(400);
    expect(noteless.text).toContain('id="reject_note-fault"');
    expect(await reject({ reason_code: 'other', reject_note: 'Hund' })).toMatchObject({ status: 303 });
    expect(await requestRow(id)).toMatchObject({ status: 'rejected', reason_code: 'other', reason_note: 'Hund' });
    const page = await browser.get(`${REQUESTS}/${id}`);
    expect(page.text).toMatch(/Abgelehnt von Dr\. Ada Öz am \d\d\.\d\d\.\d{4}, \d\d:\d\d\./);
    await browser.submit(`${REQUESTS}/${id}/reopen`, {}, `${REQUESTS}/${id}`);
    expect(await requestRow(id)).toMatchObject({ status: 'pending', reason_code: null });
  });

  test('decided by somebody else meanwhile names who and when', async ({ api, browser, approvable: { id } }) => {
    const page = await browser.get(`${REQUESTS}/${id}`);
    const colleague = await enter(api.orgId, 'owner', 'Bo Çelik');
    await approveOn(colleague.browser, id);
    const late = await browser.post(`${REQUESTS}/${id}/approve`, approvalOf(page.text));
    expect(late.status).toBe(409);
    expect(late.text).toContain(de.shared.requests.conflicts.already_decided);
    expect(late.text).toMatch(/Angenommen von Bo Çelik am \d\d\.\d\d\.\d{4}, \d\d:\d\d\./);
  });

  test('that waits for an answer has a tab of its own until decided', async ({ browser, requestId: id }) => {
    const ask = (fields: Record<string, string>) =>
      browser.submit(`${REQUESTS}/${id}/needs-info`, fields, `${REQUESTS}/${id}`);
    expect((await ask({ info_note: '' })).status).toBe(400);
    expect(await ask({ info_note: 'Welche Stärke?' })).toMatchObject({ status: 303, location: REQUESTS });
    const inbox = await browser.get(`${REQUESTS}?tab=needs_info`);
    expect(countsOf(inbox.text)).toEqual([0, 1, 0, 0]);
    expect(hrefs(inbox.text)).toEqual([id]);
    const { text } = await browser.get(`${REQUESTS}/${id}`);
    expect(text).toContain('Welche Stärke?');
    const [, question = ''] = /name="question" value="([\w-]+)"/.exec(text) ?? [];
    const answer = (words: string) =>
      browser.submit(`${REQUESTS}/${id}/answer`, { question, [`answer-${question}`]: words }, `${REQUESTS}/${id}`);
    expect((await answer('')).status).toBe(400);
    await answer('400 mg');
    expect(await requestRow(id)).toMatchObject({ needs_info: 0, needs_info_note: null });
    expect(saidOn(await browser.get(`${REQUESTS}/${id}`))).toMatch(/Antwort: \S+ 400 mg/);
  });

  test('is deleted after a page that names the person', async ({ browser, requestId: id }) => {
    const page = await browser.get(`${REQUESTS}/${id}/delete`);
    expect(page.text).toContain('Bestellanfrage von Erika Mustermann löschen?');
    expect(await browser.submit(`${REQUESTS}/${id}/delete`, {})).toMatchObject({ status: 303, location: REQUESTS });
    expect(await requestRow(id)).toMatchObject({ status: 'deleted', customer_name: null });
    expect((await browser.get(`${REQUESTS}/${id}`)).status).toBe(404);
  });
});

describe('a prescription', () => {
  test('is seen by the pharmacist, and not by staff, who see that there is one', async ({ api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api, { pdf: PDF_BASE64 });
    const [path, viewer] = ['pdf', 'view'].map((part) => `/manage/prescriptions/${prescriptionId}/${part}`) as [
      string,
      string,
    ];
    expect((await browser.get(`${REQUESTS}/${id}`)).text).toContain(`src="${viewer}"`);
    expect((await browser.get(viewer)).text).toContain(`data-file="${path}"`);
    expect(await browser.get(path)).toMatchObject({ status: 200, text: PDF_TEXT });
    const { browser: staff } = await enter(api.orgId, 'staff');
    const { text } = await staff.get(`${REQUESTS}/${id}`);
    for (const hidden of ['<iframe', `name="checked-${prescriptionId}"`]) expect(text).not.toContain(hidden);
    expect(text).toContain(de.requests.thereAre(1));
    expect(await staff.get(path)).toMatchObject({ status: 403, text: expect.not.stringContaining('%PDF') });
    expect(await staff.get(viewer)).toMatchObject({ status: 403 });
    const forged = {
      [`as-${prescriptionId}`]: 'signed_file',
      [`checked-${prescriptionId}`]: await sha256Of(prescriptionId),
    };
    expect((await approveOn(staff, id, forged)).status).toBe(403);
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
    expect((await auditOf(prescriptionId)).filter(({ action }) => action === 'prescription.viewed')).toHaveLength(1);
  });
});

describe('what the check of a signature found', () => {
  /** Not so long ago that the prescription has expired. */
  const signedAt = Date.now() - 3 * DAY_MS;
  const signature = {
    ...{ kind: 'signature', status: 'passed', subIndication: null, qualification: 'qualified', revocation: 'good' },
    ...{
      signer: 'Dr. Anna Beispiel',
      profession: null,
      issuer: 'Beispiel CA',
      algorithm: 'ecdsa_p256',
      weaknesses: [],
    },
    ...{ signedAt: new Date(signedAt).toISOString(), signedBytes: 40, valueHash: 'ab' },
  };
  const report = { status: 'passed', subIndication: null, laterChanges: 'none', anchor: 0, signatures: [signature] };
  const other = (members: object) => ({ ...report, signatures: [{ ...signature, ...members }] });
  const TRY_LATER = { status: 'indeterminate', subIndication: 'TRY_LATER' };
  const NO_CHAIN = { status: 'indeterminate', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' };

  test.for([
    ['QES geprüft, unverändert', report],
    ['QES, Sperrstatus noch nicht geprüft', { ...report, ...TRY_LATER }],
    ['Nach der Signatur ergänzt', { ...report, laterChanges: 'other' }],
    ['Aussteller nicht auf der EU-Vertrauensliste', { ...other({ qualification: 'not_listed' }), ...NO_CHAIN }],
    ['Keine QES: reicht für dieses Rezept nicht', { ...other({ qualification: 'advanced' }), ...NO_CHAIN }],
    ['Siegel von Dr. Anna Beispiel, keine Arztsignatur', { ...other({ kind: 'seal' }), ...NO_CHAIN }],
    ['Signatur ungültig: Datei passt nicht zur Signatur', { ...report, status: 'failed' }],
    ['Keine elektronische Signatur', { ...report, status: 'none', anchor: null, signatures: [] }],
    ['Signatur wird geprüft …', null],
  ] as const)('is said as "%s"', async ([words, found], { api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    const stored = found && JSON.stringify({ ...found, checkedAt: Date.now() });
    await rows('update prescriptions set signature_report = ? where id = ?', stored, prescriptionId);
    const { text } = await browser.get(`${REQUESTS}/${id}`);
    expect(text).toContain(`<b>${words}</b>`);
    expect(text).not.toContain('Gültig');
    // Where something was added, the signed revision is shown.
    const { text: viewer } = await browser.get(`/manage/prescriptions/${prescriptionId}/view`);
    expect(viewer.includes('data-length="40"')).toBe(words === 'Nach der Signatur ergänzt');
    const isPreset = found?.status === 'passed' || found?.subIndication === 'TRY_LATER';
    expect(text.includes(`value="${formatDate(signedAt, { language: 'de' })}"`)).toBe(isPreset);
  });

  const NO_SIGNATURE = { ...report, status: 'none', anchor: null, signatures: [] };
  const store = (id: string, found: object) =>
    rows('update prescriptions set signature_report = ? where id = ?', JSON.stringify({ ...found, checkedAt: 1 }), id);
  const choicesOn = ({ text }: Page, id: string) =>
    fieldsOf(text).flatMap(({ name, value, isSent }) => (name === `as-${id}` ? [isSent ? `[${value}]` : value] : []));
  const OTHERS = ['verified_elsewhere', 'original_present'];

  test.for([
    [null, ['[]', ...OTHERS, 'original_follows']],
    [report, ['[signed_file]', ...OTHERS, 'original_follows']],
    [{ ...report, ...TRY_LATER }, ['[signed_file]', ...OTHERS, 'original_follows']],
    [{ ...report, ...NO_CHAIN }, [...OTHERS, '[original_follows]']],
    [{ ...report, status: 'failed' }, [...OTHERS, '[original_follows]']],
    [NO_SIGNATURE, [...OTHERS, '[original_follows]']],
  ] as const)('offers what may be said to have been checked (%#)', async ([found, offered], { api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    if (found) await store(prescriptionId, found);
    const page = await browser.get(`${REQUESTS}/${id}`);
    expect(choicesOn(page, prescriptionId)).toEqual(offered);
    if (offered.some((each) => each.includes('signed_file'))) return;
    const said = { [`as-${prescriptionId}`]: 'signed_file' };
    expect(
      (await browser.post(`${REQUESTS}/${id}/approve`, tickedOn(page, `${REQUESTS}/${id}/approve`, said))).status,
    ).toBe(409);
    expect(await requestRow(id)).toMatchObject({ status: 'pending' });
  });

  test('waits with the choice while the signature is checked', async ({ api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    const form = { [`checked-${prescriptionId}`]: await sha256Of(prescriptionId) };
    const refused = await approveOn(browser, id, form);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(`id="as-${prescriptionId}-fault"`) });
  });

  test('asks for one acknowledgement where revocation is open, or something was added to what passed', async ({
    api,
    browser,
  }) => {
    const ask = async (found: object) => {
      const { id, prescriptionId } = await openPrescribed(api);
      await store(prescriptionId, found);
      const path = `${REQUESTS}/${id}/approve`;
      const ticked = tickedOn(await browser.get(`${REQUESTS}/${id}`), path);
      const refused = await browser.post(
        path,
        ticked.filter(([name]) => name !== 'acknowledged'),
      );
      return { refused, prescriptionId, last: await browser.post(path, ticked) };
    };
    for (const found of [
      { ...report, ...TRY_LATER },
      { ...report, laterChanges: 'other' },
    ]) {
      const { refused, prescriptionId, last } = await ask(found);
      expect(refused.status).toBe(409);
      expect(refused.text).toContain(`id="confirm-${prescriptionId}-fault"`);
      expect(last.status).toBe(303);
      await operate(`/organizations/${api.orgId}`, { signature_check: 'enforce' }, 'PATCH');
    }
  });

  test('needs no tick for a copy without a signature beside a file that passed', async ({ api, browser }) => {
    const { id, prescriptionId } = await openPrescribed(api);
    await store(prescriptionId, report);
    const copy = await addPrescription(staffContext(api.orgId).ctx, { id, bytes: fromBase64(PDF_BASE64) });
    await store(copy.id, NO_SIGNATURE);
    const path = `${REQUESTS}/${id}/approve`;
    const ticked = tickedOn(await browser.get(`${REQUESTS}/${id}`), path);
    const rest = ticked.filter(([name]) => name !== `checked-${copy.id}`);
    expect((await browser.post(path, rest)).status).toBe(303);
  });

  test('remembers for each platform with what its prescriptions are verified elsewhere', async ({ api, browser }) => {
    const first = await openPrescribed(api);
    const path = `${REQUESTS}/${first.id}/approve`;
    const said = {
      [`as-${first.prescriptionId}`]: 'verified_elsewhere',
      [`with-${first.prescriptionId}`]: 'SigTool, QES',
    };
    expect((await browser.post(path, tickedOn(await browser.get(`${REQUESTS}/${first.id}`), path, said))).status).toBe(
      303,
    );
    const next = await openPrescribed(api);
    await store(next.prescriptionId, NO_SIGNATURE);
    const page = await browser.get(`${REQUESTS}/${next.id}`);
    expect(choicesOn(page, next.prescriptionId)).toContain('[verified_elsewhere]');
    expect(fieldOn(page.text, `with-${next.prescriptionId}`)).toBe('SigTool, QES');
    await rows(`update order_requests set integration_id = 'another' where id = ?`, next.id);
    expect(fieldOn((await browser.get(`${REQUESTS}/${next.id}`)).text, `with-${next.prescriptionId}`)).toBe('');
  });
});
