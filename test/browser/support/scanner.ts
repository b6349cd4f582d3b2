import type { Page } from 'playwright-core';

/** Between two keys of a scanner. */
const KEY_MS = 8;

/**
 * Types as a barcode scanner does: keys a few milliseconds apart, then Enter. The times are set in
 * the key events themselves, and none waits for the one before, so a busy machine does not slow the scan down.
 */
export async function scan(page: Page, code: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  let at = Date.now() / 1000;
  const sent: Promise<unknown>[] = [];
  const send = (type: 'keyDown' | 'keyUp' | 'rawKeyDown', key: object) => {
    at += KEY_MS / 2000;
    sent.push(devtools.send('Input.dispatchKeyEvent', { type, timestamp: at, ...key }));
  };
  for (const text of code) {
    const key = { key: text, code: codeOf(text), windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0) };
    send('keyDown', { ...key, text, unmodifiedText: text });
    send('keyUp', key);
  }
  const enter = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
  send('keyDown', { ...enter, text: '\r', unmodifiedText: '\r' });
  send('keyUp', enter);
  await Promise.all(sent);
  await devtools.detach();
}

function codeOf(text: string): string {
  if (/\d/.test(text)) return `Digit${text}`;
  return /[a-z]/i.test(text) ? `Key${text.toUpperCase()}` : text === ' ' ? 'Space' : '';
}
