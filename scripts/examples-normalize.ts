import { createHash } from 'node:crypto';
import type { Demo } from './demo.ts';

/** The time that replaces the time of recording in every example. */
const NOW = '2026-11-20T09:30:00.000Z';
const SHOP_URLS = ['https://loewen.example', 'https://loewen-zwei.example'];
const ACCESS_TOKEN = 'eyJhbGciOiJIUzI1NiIsImtpZCI6InQxIn0.eyJzY29wZSI6IiJ9.c2lnbmF0dXJl';
const WEBHOOK_URL = 'https://erp.example/offizin/webhooks';
/** Values that replace measured response times of receivers, by the name of the member. */
const DURATIONS: Record<string, number> = { duration_ms: 41, p50_ms: 38, p95_ms: 120 };
const PAY_TOKEN = '4kT9xQ2mVdL7';
const KEY_ID = 'aK7pQ2xW9mZe';
/** Where the public part is in an API key. Responses contain this part as the actor who decided. */
const KEY_ID_AT = ['ofz_'.length, 'ofz_'.length + KEY_ID.length] as const;

const STEP_MS = 600_000;
const DAY_MS = 86_400_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns a function that replaces the values in an example that differ from one recording to the next. A new id
 * depends only on the example and on the id's position in it, so that a new example does not change the ids of others.
 * Times count from `NOW` in steps of ten minutes.
 * @param example the id of the example's operation
 */
export function normalizer(example: string, demo: Demo): (value: unknown) => unknown {
  const startedAt = Date.now();
  const ids = new Map(namedIds(demo));
  const idOf = (id: string) => {
    const known = ids.get(id) ?? idFrom(`${example}:${ids.size}`);
    ids.set(id, known);
    return known;
  };
  const timeOf = (time: string) => {
    const steps = Math.round((Date.parse(time) - startedAt) / STEP_MS);
    return new Date(Date.parse(NOW) + steps * STEP_MS).toISOString();
  };
  const dayOf = (day: string) => {
    const today = Math.floor(startedAt / DAY_MS) * DAY_MS;
    return new Date(Date.parse(NOW) + Date.parse(day) - today).toISOString().slice(0, 'YYYY-MM-DD'.length);
  };
  const textOf = (name: string, text: string) => {
    if (name === 'access_token') return ACCESS_TOKEN;
    if (name === 'next_cursor') {
      const place = Buffer.from(text, 'base64url').toString();
      const fixed = place.replace(UUID, idOf).replace(/\d{13}/, String(Date.parse(NOW)));
      return Buffer.from(fixed).toString('base64url');
    }
    // A time in the body of the example itself is written as `NOW` and is not changed.
    if (TIME.test(text)) return Date.parse(text) === Date.parse(NOW) ? text : timeOf(text);
    if (DAY.test(text)) return dayOf(text);
    return text
      .replace(UUID, idOf)
      .replace(demo.shops[0]?.url ?? '', SHOP_URLS[0] ?? '')
      .replace(demo.shops[1]?.url ?? '', SHOP_URLS[1] ?? '')
      .replace(demo.subscription.url, WEBHOOK_URL)
      .replace(demo.api_key.slice(...KEY_ID_AT), KEY_ID)
      .replace(/\/pay\/[\w-]+/, `/pay/${PAY_TOKEN}`);
  };
  const walk = (value: unknown, name = ''): unknown => {
    if (typeof value === 'string') return textOf(name, value);
    if (typeof value === 'number') return DURATIONS[name] ?? value;
    if (Array.isArray(value)) return value.map((each) => walk(each, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each, key)]));
  };
  return walk;
}

/** Ids that many examples share; the first two also appear in the schemas. */
function namedIds({ org_id, shops }: Demo): [string, string][] {
  const names = ['019aa0b0-1f00-7aaa-8c01-0c9be1b2a301', '019aa0b0-1f00-7bbb-8c02-1d8cf2c3b402'];
  return [
    [org_id, '019aa0af-0c11-7d1e-8a2b-5c6d7e8f9a0b'],
    ...shops.map(({ shop_id }, index): [string, string] => [shop_id, names[index] ?? idFrom(`shop:${index}`)]),
  ];
}

/** Returns a UUID of version 7 that looks as if it was created around `NOW`. */
function idFrom(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex');
  return `019aa0c4-${hash.slice(0, 4)}-7${hash.slice(4, 7)}-8${hash.slice(7, 10)}-${hash.slice(10, 22)}`;
}
