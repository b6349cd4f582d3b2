import { expect } from 'vitest';
import { filledIn, formsOf, textOf } from '../support/html';
import type { Browser, Page } from './browser';

/** What a browser would send of the form that is posted to an address. @param which of several such forms */
export function formOn({ text }: Page, action: string, which = 0): Record<string, string> {
  return filledIn(text, action, which);
}

/** What a page says, without markup. */
export function saidOn({ text }: Page): string {
  return textOf(text);
}

export async function follow(browser: Browser, answer: Page): Promise<Page> {
  expect(answer.status).toBe(303);
  return browser.get(answer.location ?? '');
}

/** How many requests each tab of the inbox says it has. */
export function countsOf(text: string): number[] {
  return [...text.matchAll(/<span class="count" id="count-[^>]*>(\d+)<\/span>/g)].map(([, count]) => Number(count));
}

/** What a browser would send of an approval after prescriptions were checked and differences acknowledged, all of them. */
export function tickedOn(page: Page, action: string, changes: Record<string, string> = {}): [string, string][] {
  const form = formsOf(page.text).find((each) => each.method === 'post' && each.action === action);
  const fields = (form?.fields ?? []).filter(({ isSent, name }) => isSent || /^(?:checked-|acknowledged$)/.test(name));
  // Nobody has checked the signature yet.
  const chosen = (name: string, value: string) => (name.startsWith('as-') && value === '' ? 'original_present' : value);
  return fields.map(({ name, value }) => [name, changes[name] ?? chosen(name, value)]);
}
