import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { namesIn, tableOf } from './support/contract';
import { openApiDocument } from './support/document';

const BASE_URL = 'https://api.offizin.example';
const DOCS = resolve(import.meta.dirname, '../../src/public-api/docs');

test('the OpenAPI document passes every recommended rule of a public linter, warnings included', async () => {
  const problems = await lint(await openApiDocument(BASE_URL));
  expect(problems).toEqual([]);
});

test('the OpenAPI document passes every recommended rule of a second linter, warnings included', async () => {
  expect(await lintWithSpectral(await openApiDocument(BASE_URL))).toEqual([]);
});

test('the second linter does find what is wrong', async () => {
  const { paths: _, ...document } = await openApiDocument(BASE_URL);
  expect(await lintWithSpectral(document)).not.toEqual([]);
});

test('the linter does find what is wrong', async () => {
  const { info: _, ...document } = await openApiDocument(BASE_URL);
  expect(await lint(document)).toContainEqual(expect.stringMatching(/^error struct: .*`info`/));
});

test('nothing but the style goes into a page of the reference as it stands', () => {
  const files = readdirSync(DOCS);
  const unescaped = files.flatMap((file) =>
    [...readFileSync(join(DOCS, file), 'utf8').matchAll(/dangerouslySetInnerHTML=\{\{.*?\}\}|\braw\(|\bhtml`/g)].map(
      ([use]) => `${file}: ${use}`,
    ),
  );
  expect(unescaped).toEqual(['page.tsx: dangerouslySetInnerHTML={{ __html: STYLES }}']);
});

test('the calls and the fields of the contract are those of the OpenAPI document', async () => {
  const document = (await openApiDocument(BASE_URL)) as unknown as Document;
  for (const [section = '', method = '', path = '', scope = ''] of tableOf('4')) {
    const call = document.paths[`/api/v2/public/orgs/{orgId}${path}`]?.[method.toLowerCase()];
    expect(call?.security, section).toEqual([{ accessToken: [scope] }]);
  }
  const { OrderRequestEnvelope: envelope, Shop, Product, Overrides } = document.components.schemas;
  const payload = envelope?.properties.payload;
  const addressFields = ['org_id', 'shop_id'];
  expect(namesIn('5.2')).toEqual(namesOf(envelope).filter((name) => !addressFields.includes(name)));
  expect(namesIn('5.3')).toEqual(namesOf(payload));
  expect(namesIn('5.4')).toEqual(namesOf(payload?.properties.items?.items));
  expect(namesOf(Shop)).toEqual(expect.arrayContaining(namesIn('3.1')));
  expect(namesOf(Product)).toEqual(expect.arrayContaining(namesIn('3.2')));
  expect(namesIn('3.3').filter((name) => name !== 'slug')).toEqual(namesOf(Overrides));
});

interface Schema {
  properties: Record<string, Schema>;
  items?: Schema;
}

interface Document {
  paths: Record<string, Record<string, { security: unknown }>>;
  components: { schemas: Record<string, Schema> };
}

async function lintWithSpectral(document: unknown): Promise<string[]> {
  const linter = new spectral.Spectral();
  // SAFETY: the package's own ruleset, whose type leaves out a member that has no meaning here.
  linter.setRuleset({ extends: [rulesets.oas as never], rules: {} });
  const problems = await linter.run(JSON.stringify(document));
  return problems.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`);
}

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ severity, ruleId, message, location: [at] }) => `${severity} ${ruleId}: ${message} (${at?.pointer ?? ''})`,
  );
}

function namesOf(schema: Schema | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}
