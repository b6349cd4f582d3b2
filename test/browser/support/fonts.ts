import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

/** What machines have where nobody chose a font; Arimo has the metrics of Liberation Sans and of Arial. */
const FONTS = ['noto-sans', 'dejavu-sans', 'arimo'];
const WEIGHTS = ['400', '700'];

const FACES = FONTS.flatMap((family) => WEIGHTS.map((weight) => ({ family, weight, file: fileOf(family, weight) })));

function fileOf(family: string, weight: string): string {
  const path = `@fontsource/${family}/files/${family}-latin-${weight}-normal.woff2`;
  return readFileSync(fileURLToPath(import.meta.resolve(path)), 'base64');
}

/** Sets the page's text in each of these fonts, one after the other, and at last in its own again. */
export async function inEachFont(page: Page, measure: (font: string) => Promise<void>): Promise<void> {
  await page.evaluate(async (faces) => {
    const loaded = faces.map(({ family, weight, file }) => {
      const bytes = Uint8Array.from(atob(file), (character) => character.charCodeAt(0));
      return new FontFace(family, bytes, { weight }).load();
    });
    for (const face of await Promise.all(loaded)) document.fonts.add(face);
  }, FACES);
  for (const font of FONTS) {
    await page.evaluate(setIn, font);
    await measure(font);
  }
  await page.evaluate(setIn, '');
}

/** Runs in the page. */
function setIn(font: string): void {
  const sheet = new CSSStyleSheet();
  if (font) sheet.replaceSync(`body { font-family: ${font} }`);
  document.adoptedStyleSheets = [sheet];
}
