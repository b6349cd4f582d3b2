import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { rounds } from '../../support/rounds';
import { inEachFont } from './fonts';

/** A phone, a counter's screen, a wide one; in proof also the first and last of each layout. */
const WIDTHS = rounds([360, 1024, 1440], [320, 360, 767, 768, 959, 960, 1024, 1199, 1200, 1439, 1440, 1920]);
const HEIGHT = 900;
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** What axe finds and what does not fit, as one line for each element; in proof also when the text is set in other fonts. */
export async function faultsOfPage(page: Page): Promise<string[]> {
  const faults = [...(await axeFaults(page)), ...(await layoutFaults(page))];
  if (rounds(false, true)) {
    await inEachFont(page, async (font) => {
      const ofFont = [
        ...(await axeRun(page, { type: 'rule', values: ['target-size'] })),
        ...(await layoutFaults(page)),
      ];
      faults.push(...ofFont.map((fault) => `${font}: ${fault}`));
    });
  }
  return faults;
}

/** By light and by dark. Frames belong to somebody else: the PDF viewer. */
async function axeFaults(page: Page): Promise<string[]> {
  // Through the protocol, since Playwright's own evaluation would parse the half megabyte twice more for each page.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: AXE });
  await devtools.detach();
  // What stays on top while one scrolls covers something else at every place but this.
  await page.evaluate(() => scrollTo(0, 0));
  const light = await axeRun(page, { type: 'tag', values: STANDARDS });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await axeRun(page, { type: 'rule', values: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: null });
  return [...light, ...dark.map((fault) => `dark: ${fault}`)];
}

async function axeRun(page: Page, runOnly: { type: 'tag' | 'rule'; values: string[] }): Promise<string[]> {
  return page.evaluate(async (only) => {
    // SAFETY: the source that was run just before puts it there.
    const { axe: tester } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await tester.run(document, { runOnly: only, resultTypes: ['violations'], iframes: false });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, html }) => `${id} ${target}: ${html.slice(0, 160)}`),
    );
  }, runOnly);
}

/** At each width. */
async function layoutFaults(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: HEIGHT });
    faults.push(...(await page.evaluate(misfits)).map((fault) => `${width} px: ${fault}`));
  }
  return faults;
}

/** Runs in the page. */
function misfits(): string[] {
  const faults: string[] = [];
  const root = document.documentElement;
  const { clientWidth } = root;
  const said = (element: Element) =>
    `<${element.tagName.toLowerCase()} class="${element.className}"> ${element.textContent?.trim().slice(0, 50)}`;
  const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const insideScroller = (element: Element) => {
    for (let up = element.parentElement; up; up = up.parentElement) if (scrolls(up)) return true;
    return false;
  };
  if (root.scrollWidth > clientWidth) {
    const beyond = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > clientWidth + 0.5 && !insideScroller(element),
    );
    const innermost = beyond.filter((element) => !beyond.some((other) => other !== element && element.contains(other)));
    faults.push(`the page is ${root.scrollWidth} px wide: ${innermost.map(said)}`);
  }
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    // For screen readers alone.
    if (box.width <= 1 || style.clipPath !== 'none' || element.closest('.unseen, .skip, svg')) continue;
    const isControl = element.matches('button, input, select, textarea, summary, a');
    if (isControl && (box.left < -1 || box.right > clientWidth + 1) && !insideScroller(element)) {
      faults.push(`beyond the edge: ${said(element)}`);
    }
    const next = element.matches('table') ? element.nextElementSibling : null;
    // The page leaves room for a bar that stays in view.
    const beside = next && getComputedStyle(next).position !== 'fixed' && next.getBoundingClientRect();
    if (beside && beside.left < box.right - 1 && beside.top < box.bottom && box.top < beside.bottom) {
      faults.push(`covers what is beside it: ${said(element)}`);
    }
    if (element.matches('.choice') && style.display !== 'flex')
      faults.push(`a choice without its row: ${said(element)}`);
    if (element.matches('.med b') && box.right > (element.closest('.with')?.getBoundingClientRect().right ?? 0) + 1)
      faults.push(`a strength that is cut: ${said(element)}`);
    const texts = [...element.childNodes].filter(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim(),
    );
    if (texts.length === 0 || insideScroller(element)) continue;
    const isCut = style.overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && !scrolls(element);
    if (isCut && style.textOverflow !== 'ellipsis' && style.webkitLineClamp === 'none')
      faults.push(`cut off: ${said(element)}`);
    if (style.display === 'inline' || style.overflowX !== 'visible') continue;
    for (const text of texts) {
      const range = document.createRange();
      range.selectNode(text);
      const words = range.getBoundingClientRect();
      if (words.right > box.right + 1.5 || words.left < box.left - 1.5)
        faults.push(`outside its box: ${said(element)}`);
    }
  }
  return faults;
}
