import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isPacked, launchChromium } from '../../scripts/chromium';
import { inEachFont } from './support/fonts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

test('a page is measured in the fonts that it is said to be measured in', async () => {
  const page = await browser.newPage();
  await page.setContent('<p style="font-family: inherit">Bestellung</p>');
  const own = await fontsOf(page, 'p');
  const shown: Record<string, string[]> = {};
  await inEachFont(page, async (font) => {
    shown[font] = await fontsOf(page, 'p');
  });
  expect(shown).toEqual({ 'noto-sans': ['Noto Sans'], 'dejavu-sans': ['DejaVu Sans'], arimo: ['Arimo'] });
  expect(await fontsOf(page, 'p')).toEqual(own);
  await page.close();
});

// Another browser is the machine's, with the machine's fonts.
if (isPacked) {
  test('the browser of the dependencies knows no font but its own and nothing of the machine', async () => {
    const page = await browser.newPage();
    const families = ['system-ui', 'sans-serif', 'serif', 'monospace', 'DejaVu Sans', 'Noto Sans', 'Liberation Sans'];
    await page.setContent(families.map((family) => `<p style='font-family: ${family}'>x</p>`).join(''));
    expect(await fontsOf(page, 'body')).toEqual(['Open Sans']);
    expect(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone)).toBe('Europe/Berlin');
    await page.close();
  });
}

/** Of the text in an element, as the browser found them. */
async function fontsOf(page: Page, selector: string): Promise<string[]> {
  // Lays the page out: the fonts of the last layout are told.
  await page.evaluate(() => document.body.getBoundingClientRect());
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('DOM.enable');
  await devtools.send('CSS.enable');
  const { root } = await devtools.send('DOM.getDocument');
  const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId });
  await devtools.detach();
  return [...new Set(fonts.map(({ familyName }) => familyName))];
}
