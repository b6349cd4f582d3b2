import type { Page } from 'playwright-core';
import { labelText } from '../../../src/codes/label';
import { rounds } from '../../support/rounds';

/** Milliseconds between two keys of a scanner: on a cable, over a slow remote desktop. `npm test` takes the one between. */
export const SPEEDS = rounds([65], [8, 65, 120]);

/** Codes with the right check digits, and the PZN or GTIN that each means. */
export const CODES: Record<string, string> = {
  '01126619': '01126619',
  '-01126619': '01126619',
  ']A0-01126619': '01126619',
  '4006381333931': '04006381333931',
  // With letters that are shortcuts, and a space.
  '010415012345678210a4711': '12345678',
  '01041500112661961728123110a1r j21SaN4711': '01126619',
  '9N1101126619631TA1BD281231SNAR4711': '01126619',
};
export const LABEL = labelText({ shop: '3F9A', number: 4711 });

/** What a German keyboard makes of a code with Caps Lock on. */
const LOCKED: Record<string, string> = {
  '-': '?',
  ...Object.fromEntries([...'1234567890'].map((digit, at) => [digit, '!"§$%&/()='[at]])),
};

/** Between two scans. */
const PAUSE_MS = 1500;

interface Scanner {
  /** Milliseconds between two keys. */
  every?: number;
  /** With Caps Lock on. */
  isLocked?: boolean;
}

/** Types as a barcode scanner does, and Enter. */
export async function scan(page: Page, code: string, { every = 8, isLocked = false }: Scanner = {}): Promise<void> {
  const keyOf = (text: string) => (isLocked ? (LOCKED[text] ?? swapCase(text)) : text);
  const keys = [...code].map((text): Key => [keyOf(text), every, codeOf(text)]);
  await strike(page, [...keys, ['Enter', every]]);
}

/** A key, and the milliseconds since the one before. */
export type Key = [key: string, after: number, code?: string];

/** When the last of these keys was pressed on a page, which may be ahead of the clock. */
const lastAt = new WeakMap<Page, number>();

/**
 * Presses keys. Their times are set in the events themselves, and none waits for the one before: slow keys take no longer than
 * fast ones, and a busy machine slows nothing down. The next keys, too, have to be pressed here: the page's clock is ahead.
 */
export async function strike(page: Page, keys: Key[]): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  let at = Math.max(Date.now(), (lastAt.get(page) ?? 0) + PAUSE_MS);
  const sent: Promise<unknown>[] = [];
  for (const [key, after, code = codeOf(key)] of keys) {
    at += after;
    lastAt.set(page, at);
    const text = key === 'Enter' ? '\r' : key;
    const event = { key, code, windowsVirtualKeyCode: key === 'Enter' ? 13 : key.toUpperCase().charCodeAt(0) };
    const send = (type: 'keyDown' | 'keyUp', more: object, time: number) =>
      sent.push(devtools.send('Input.dispatchKeyEvent', { type, timestamp: time / 1000, ...event, ...more }));
    send('keyDown', { text, unmodifiedText: text }, at);
    send('keyUp', {}, at + Math.min(after, 8) / 2);
  }
  await Promise.all(sent);
  await devtools.detach();
}

function codeOf(text: string): string {
  if (/^\d$/.test(text)) return `Digit${text}`;
  if (/^[a-z]$/i.test(text)) return `Key${text.toUpperCase()}`;
  return { ' ': 'Space', '-': 'Minus', Enter: 'Enter' }[text] ?? '';
}

function swapCase(text: string): string {
  return text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();
}
