import type { Page } from 'playwright-core';

/** Between two keys of a scanner. */
const KEY_MS = 8;

/**
 * Types as a barcode scanner does: keys a few milliseconds apart, then Enter. The times are set in
 * the key events themselves, so a busy machine does not slow the scan down.
 */
export async function scan(page: Page, code: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  let at = Date.now() / 1000;
  const send = (type: 'keyDown' | 'keyUp' | 'rawKeyDown', key: object) => {
    at += KEY_MS / 2000;
    return devtools.send('Input.dispatchKeyEvent', { type, timestamp: at, ...key });
  };
  for (const text of code) {
    const key = { key: text, code: codeOf(text), windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0) };
    await send('keyDown', { ...key, text, unmodifiedText: text });
    await send('keyUp', key);
  }
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
  await send('keyDown', { ...enter, text: '\r', unmodifiedText: '\r' });
  await send('keyUp', enter);
  await devtools.detach();
}

function codeOf(text: string): string {
  if (/\d/.test(text)) return `Digit${text}`;
  return /[a-z]/i.test(text) ? `Key${text.toUpperCase()}` : text === ' ' ? 'Space' : '';
}
