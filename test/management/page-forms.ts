import { expect } from 'vitest';
import type { Browser, Page } from './browser';

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

function decoded(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}

/** The values of a form's own fields, as a browser would send them: hidden, typed, ticked. */
export function formOn({ text }: Page, action: string, which = 0): Record<string, string> {
  const forms = [...text.matchAll(/<form method="post" action="([^"]*)"[^>]*>(.*?)<\/form>/gs)];
  const inside = forms.filter(([, at = '']) => decoded(at) === action)[which]?.[2];
  if (inside === undefined) throw new Error(`no form for ${action}`);
  const inputs = [...inside.matchAll(/<input\b([^>]*)>/g)].map(([, attributes = '']) => attributes);
  const sent = inputs.filter((each) => !/type="(radio|checkbox)"/.test(each) || /\bchecked=/.test(each));
  const attribute = (each: string, name: string) =>
    decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(each)?.[1] ?? '');
  const values = sent.map((each) => [attribute(each, 'name'), attribute(each, 'value')]);
  const selects = [...inside.matchAll(/<select\b[^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs)].map(
    ([, name = '', options = '']) => [
      name,
      decoded(
        /<option value="([^"]*)" selected/.exec(options)?.[1] ?? /<option value="([^"]*)"/.exec(options)?.[1] ?? '',
      ),
    ],
  );
  const areas = [...inside.matchAll(/<textarea\b[^>]*name="([^"]+)"[^>]*>(.*?)<\/textarea>/gs)].map(
    ([, name = '', value = '']) => [name, decoded(value)],
  );
  return Object.fromEntries([...values, ...selects, ...areas].filter(([name]) => name !== ''));
}

/** What a page says, without markup. */
export function saidOn({ text }: Page): string {
  const body = text.replace(/<(script|style|head)\b.*?<\/\1>/gs, '');
  return decoded(body.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ');
}

export async function follow(browser: Browser, answer: Page): Promise<Page> {
  expect(answer.status).toBe(303);
  return browser.get(answer.location ?? '');
}
