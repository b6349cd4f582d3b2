import jsQR from 'jsqr';
import { textOf } from './html';
import { call } from './world';

export interface Page {
  status: number;
  headers: Headers;
  html: string;
  /** What a reader sees, in one line. */
  text: string;
}

/** The payment page as a browser asks for it. */
export async function openPage(url: string, language?: string): Promise<Page> {
  const response = await call(url, { headers: language === undefined ? {} : { 'Accept-Language': language } });
  const html = await response.text();
  return { status: response.status, headers: response.headers, html, text: textOf(html) };
}

/** Pixels of the picture for each module of the code. */
const SCALE = 4;

/** What a scanner reads from the page's QR code, or null when there is none. */
export function scan(html: string): string | null {
  const [, size, path] =
    /<svg[^>]*viewBox="0 0 (\d+) \1"[^>]*><rect fill="white"[^>]*><path fill="black" d="([^"]*)"/.exec(html) ?? [];
  if (!size || !path) return null;
  const squares = [...path.matchAll(/M(\d+),(\d+)h(\d+)v\3h-\3z/g)].map(([, x, y, side]) => ({
    x: Number(x),
    y: Number(y),
    side: Number(side),
  }));
  if (squares.map(({ x, y, side }) => `M${x},${y}h${side}v${side}h-${side}z`).join('') !== path) return null;
  const side = squares[0]?.side ?? 1;
  const width = (Number(size) / side) * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const square of squares) {
    for (let row = 0; row < SCALE; row += 1) {
      const start = ((square.y / side) * SCALE + row) * width + (square.x / side) * SCALE;
      for (let column = 0; column < SCALE; column += 1) pixels.set([0, 0, 0, 255], (start + column) * 4);
    }
  }
  const found = jsQR(pixels, width, width);
  return found && new TextDecoder().decode(new Uint8Array(found.binaryData));
}
