import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { SUPPLEMENTS_MAX } from '../../src/order-requests/limits';
import { BODY_BYTES_MAX, REQUESTS_PER_MINUTE } from '../../src/platform/limits';
import { EVENTS } from '../../src/webhooks/event-types';
import { contract, sections, tableOf } from './support/contract';

const ROOT = resolve(import.meta.dirname, '../..');
const CITING = ['src', 'test', 'scripts', 'docs', 'migrations', 'README.md', 'wrangler.toml'];
const CITATION = /\bcontract (\d+(?:\.\d+)?)/gi;
/** Numbers that look like a section and are another document's, or a version. */
const NOT_SECTIONS = /§\s?[\d.]+|(?:OAuth|Webhooks) \d\.\d/g;

test('the sections of the contract are numbered without a gap', () => {
  const [chapters, parts] = [
    sections.filter((each) => !each.includes('.')),
    sections.filter((each) => each.includes('.')),
  ];
  expect(chapters).toEqual(chapters.map((_, index) => String(index + 1)));
  for (const chapter of chapters) {
    const own = parts.filter((each) => each.startsWith(`${chapter}.`));
    expect(own).toEqual(own.map((_, index) => `${chapter}.${index + 1}`));
  }
  expect(sections).toEqual([...sections].sort((a, b) => a.localeCompare(b, 'en', { numeric: true })));
});

test('every section of the contract that is cited exists, in the code and in the contract itself', () => {
  const citations = citingFiles().flatMap((path) =>
    [...joinedComments(path).matchAll(CITATION)].map(([, section = '']) => ({ path, section })),
  );
  expect(citations.filter(({ path }) => path.startsWith('src/'))).not.toEqual([]);
  expect(citations.filter(({ section }) => !sections.includes(section))).toEqual([]);
  const inside = [...contract.replace(NOT_SECTIONS, '').matchAll(/(?<![\d.])\d\.\d+\b/g)].map(([section]) => section);
  expect(inside.filter((section) => !sections.includes(section))).toEqual([]);
});

test('nothing cites a specification that is not in the repository', () => {
  expect(citingFiles().filter((path) => /\bSPEC\b/.test(readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
});

test('the event types of the contract and the keys of their metadata are those of the code', () => {
  const types = tableOf('6.2').map(([, type = '']) => type);
  expect(types).toEqual(Object.keys(EVENTS));
  const keys = tableOf('6.4').flatMap(([named = '', listed = '']) => named.split(', ').map((type) => [type, listed]));
  const inCode = Object.entries(EVENTS).map(([type, { metadata }]) => [
    type,
    Object.entries(metadata.shape)
      .map(([key, schema]) => (schema.safeParse(undefined).success ? `${key}?` : key))
      .join(', '),
  ]);
  expect(Object.fromEntries(keys)).toEqual(Object.fromEntries(inCode));
});

test('the limits of the contract are those of the code', () => {
  const limits = Object.fromEntries(tableOf('7.2').map(([what = '', atMost = '']) => [what, atMost]));
  expect(limits).toMatchObject({
    'body on the connector': `${BODY_BYTES_MAX.connector / 1024 / 1024} MiB`,
    'body on the organization API': `${BODY_BYTES_MAX.organizationApi / 1024} KiB`,
    'body of a bulk call': `${BODY_BYTES_MAX.bulk / 1024 / 1024} MiB`,
    'requests a minute and key, connector': String(REQUESTS_PER_MINUTE.connector),
    'the same, that read': String(REQUESTS_PER_MINUTE.connectorReads),
    'supplements of a request': String(SUPPLEMENTS_MAX),
    'requests a minute and key, organization API': String(REQUESTS_PER_MINUTE.organizationApi),
    'access tokens a minute and key': String(REQUESTS_PER_MINUTE.token),
  });
});

function citingFiles(): string[] {
  return CITING.flatMap((path) =>
    /\.\w+$/.test(path)
      ? [path]
      : readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1)),
  );
}

/** A citation may stand at the end of a comment's line. */
function joinedComments(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8').replace(/\n\s*(?:\/\/|\*|--|#)?\s*/g, ' ');
}
