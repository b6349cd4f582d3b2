import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchChromium } from '../../scripts/chromium';
import { type Holder, issue, nameOf, ocsp, QES } from '../signatures/authority';
import { bytesOf, BASE as CONTENT, field, type Objects, signed, stream, update } from '../signatures/pdfs';
import { fingerprintOf, trustedList } from '../signatures/trust-lists';
import { eventually } from '../support/eventually';
import { enter, openPharmacy, type Pharmacy, startedService, submit } from './support/fixtures';

/** Attacks that are published (Mainka, Mladenov, Rohlmann: shadow, wrapping, forgery, certification), as staff see them. */

const UNCHANGED = 'QES geprüft, unverändert';
const ADDED = 'Nach der Signatur ergänzt';
const BROKEN = 'Signatur ungültig';
const WAITS = 'Signatur wird geprüft';

const at = (hours: number): string => `${new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 19)}Z`;
const text = (said: string): string => stream(`BT /F1 18 Tf 20 60 Td (${said}) Tj ET`);
const PAGE = '/Type/Page/Parent 2 0 R/Resources<</Font<</F1 7 0 R>>>>';
const OVER = '1 1 1 rg 0 0 300 144 re f 0 0 0 rg BT /F1 18 Tf 20 60 Td (9 Packungen) Tj ET';
const BEFORE: Objects = { ...CONTENT, 4: text('1 Packung') };

let browser: Browser;
let pharmacy: Pharmacy;
let page: Page;
let [root, doctor, stranger]: Holder[] = [];

beforeAll(async () => {
  browser = await launchChromium();
  const service = startedService();
  pharmacy = await openPharmacy(service, 'Siegel-Apotheke');
  ({ page } = await enter(browser, pharmacy, 'pharmacist'));
  const name = nameOf(['2.5.4.6', 'DE'], ['2.5.4.3', 'CA of attacks']);
  root = await issue(null, { name, isAuthority: true });
  doctor = await issue(root, { extensions: QES });
  stranger = await issue(null);
  const list = await trustedList(root, { services: [{ holder: root }] });
  const lists = `${service.demo.base_url}/api/operator/v1/trust-lists`;
  const headers = { Authorization: `Bearer ${service.demo.operator_token}` };
  await fetch(`${lists}/DE?signed_by=${await fingerprintOf(root)}`, { method: 'PUT', headers, body: list as BodyInit });
  await eventually(async () => {
    const { data } = (await (await fetch(lists, { headers })).json()) as { data: object[] };
    expect(data).toContainEqual(expect.objectContaining({ territory: 'DE', sequence: 1 }));
  });
});

afterAll(() => browser?.close());

/** Signs as the doctor does, with the answer about revocation inside. */
async function byDoctor(before: string, objects: Objects = field(), how = {}): Promise<string> {
  if (!root || !doctor) throw new Error('no authority');
  const ocsps = [await ocsp(root, doctor, { thisUpdate: at(-0.1), nextUpdate: at(24) })];
  return signed(before, doctor, { objects, cms: { certificates: [root.certificate], ocsps }, ...how });
}

/** What the page of a request with this prescription says of it, and the pages that its pane paints. */
async function shown(pdf: string): Promise<{ says: string; pages: string[] }> {
  const address = `/manage/requests/${await submit(pharmacy, {}, Buffer.from(bytesOf(pdf)))}`;
  const body = async () => {
    await page.goto(address);
    return page.locator('main').first().innerText();
  };
  await expect.poll(body).not.toContain(WAITS);
  const canvases = page.frameLocator('.pdf iframe').locator('canvas');
  const ink = () =>
    canvases.first().evaluate((canvas: HTMLCanvasElement) => {
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return data.filter((value, index) => index % 4 === 0 && value < 128).length;
    });
  await expect.poll(ink).toBeGreaterThan(50);
  const pages = await canvases.evaluateAll((all) => all.map((each) => (each as HTMLCanvasElement).toDataURL()));
  return { says: await page.locator('main').first().innerText(), pages };
}

const withPage = (more: string): string => `<<${PAGE}/Contents 4 0 R/Annots[51 0 R${more}]>>`;

/** Each after its signature: what is added, and the page that staff have to see instead. */
const ADDITIONS: [string, () => Promise<{ signed: string; attacked: string }>][] = [
  [
    'shadow, hide: what covered the content is taken away',
    async () => {
      const layers = { ...field(), 3: `<<${PAGE}/Contents[4 0 R 9 0 R]/Annots[51 0 R]>>`, 9: stream(OVER) };
      const one = await byDoctor(update('', BEFORE), layers);
      return { signed: one, attacked: update(one, { 9: stream('') }) };
    },
  ],
  [
    'shadow, replace: another font draws other letters',
    async () => {
      const one = await byDoctor(update('', BEFORE));
      return { signed: one, attacked: update(one, { 7: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' }) };
    },
  ],
  [
    'shadow, hide and replace: the table points to content that lay ready in the signed part',
    async () => {
      const hidden = `4 0 obj\n${text('9 Packungen')}\nendobj`;
      const one = await byDoctor(update('', { ...BEFORE, 9: stream(`${hidden}\n`) }));
      const entry = `${String(one.indexOf(hidden)).padStart(10, '0')} 00000 n`;
      return { signed: one, attacked: update(one, {}, { entries: { 4: entry } }) };
    },
  ],
  [
    'incremental saving: content without a cross-reference',
    async () => {
      const one = await byDoctor(update('', BEFORE));
      return { signed: one, attacked: `${one}4 0 obj\n${text('9 Packungen')}\nendobj\ntrailer\n<</Root 1 0 R>>\n` };
    },
  ],
  [
    'evil annotation: a note over the page, which the signature permits',
    async () => {
      const dict =
        '/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P 3/V/1.2>>>>]';
      const one = await byDoctor(update('', BEFORE), field(), { dict });
      const note = `<</Type/Annot/Subtype/Stamp/F 4/Rect[0 0 300 144]/AP<</N 71 0 R>>>>`;
      const look = stream(OVER, '/Type/XObject/Subtype/Form/BBox[0 0 300 144]/Resources<</Font<</F1 7 0 R>>>>');
      return { signed: one, attacked: update(one, { 3: withPage(' 70 0 R'), 70: note, 71: look }) };
    },
  ],
  [
    'sneaky form: a second signature whose field is as large as the page',
    async () => {
      const one = await byDoctor(update('', BEFORE));
      const look = stream(OVER, '/Type/XObject/Subtype/Form/BBox[0 0 300 144]/Resources<</Font<</F1 7 0 R>>>>');
      const objects = { ...field(61, 60, [51], '0 0 300 144', '/AP<</N 62 0 R>>'), 62: look };
      return { signed: one, attacked: await signed(one, stranger as Holder, { num: 60, objects }) };
    },
  ],
  [
    'a page more, and the whole signed by somebody else',
    async () => {
      const one = await byDoctor(update('', BEFORE));
      const objects = {
        ...field(61, 60, [51]),
        2: '<</Type/Pages/Kids[3 0 R 70 0 R]/Count 2/MediaBox[0 0 300 144]>>',
        70: `<<${PAGE}/Contents 71 0 R>>`,
        71: text('9 Packungen'),
      };
      return { signed: one, attacked: await signed(one, stranger as Holder, { num: 60, objects }) };
    },
  ],
];

test.each(ADDITIONS)('%s: it is told, and the signed revision is shown', async (_, make) => {
  const { signed: one, attacked } = await make();
  const clean = await shown(one);
  expect(clean.says).toContain(UNCHANGED);
  const other = await shown(attacked);
  expect(other.says).not.toContain(UNCHANGED);
  expect(other.says).toContain(ADDED);
  expect(other.pages).toEqual(clean.pages);
});

const RANGE = /\/ByteRange \[0 \d+ \d+ \d+\]/;
const FORGERIES: [string, (one: string) => string][] = [
  ['universal forgery: a range that is none', (one) => one.replace(RANGE, (is) => '/ByteRange null'.padEnd(is.length))],
  ['universal forgery: no value', (one) => one.replace('/Contents <', '/Xontents <')],
  [
    'wrapping: the signed dictionary in a file of its own',
    (one) => {
      const dict = /50 0 obj\n(<<.*?>>)\nendobj/s.exec(one)?.[1] ?? '';
      return update('', { ...BEFORE, ...field(), 4: text('9 Packungen'), 50: dict });
    },
  ],
  [
    'wrapping: content in the room that the value leaves, which nobody signed',
    (one) => {
      const ends = '>>>\nendobj\n';
      const extra = `${ends}4 0 obj\n${text('9 Packungen')}\nendobj\n%`;
      const end = one.lastIndexOf('00000000>') + '00000000>'.length;
      const place = String(end - extra.length + ends.length).padStart(10, '0');
      const wrapped = one.slice(0, end - extra.length) + extra + one.slice(end);
      return update(wrapped, {}, { entries: { 4: `${place} 00000 n` } });
    },
  ],
];

test.each(FORGERIES)('%s: the signature does not fit', async (_, forge) => {
  const { says } = await shown(forge(await byDoctor(update('', BEFORE))));
  expect(says).not.toContain(UNCHANGED);
  expect(says).toContain(BROKEN);
});
