import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { membersOf } from '../../scripts/reference/openapi/headers';
import { namesIn, tableOf } from './support/contract';
import { openApiDocument } from './support/document';

const BASE_URL = 'https://api.offizin.example';
const DOCS = resolve(import.meta.dirname, '../../scripts/reference');

test('nothing goes into a page of the reference as it stands', () => {
  const files = readdirSync(DOCS).filter((file) => /\.tsx?$/.test(file));
  const unescaped = files.flatMap((file) =>
    [...readFileSync(join(DOCS, file), 'utf8').matchAll(/\bMarkup\((?:[^()]|\(\))*\)/g)].map(
      ([use]) => `${file}: ${use}`,
    ),
  );
  expect(unescaped).toEqual([]);
});

test('the calls and the fields of the contract are those of the OpenAPI document', async () => {
  const document = (await openApiDocument(BASE_URL)) as unknown as Document;
  for (const [section = '', method = '', path = '', scope = ''] of tableOf('4')) {
    const call = document.paths[`/api/v2/public/orgs/{orgId}${path}`]?.[method.toLowerCase()];
    expect(call?.security, section).toEqual([{ accessToken: [scope] }]);
  }
  const { OrderRequestEnvelope: envelope, OrderRequestPayload: payload, Shop, Overrides } = document.components.schemas;
  const addressFields = ['org_id', 'shop_id'];
  expect(namesIn('5.2')).toEqual(namesOf(envelope).filter((name) => !addressFields.includes(name)));
  expect(namesIn('5.3')).toEqual(namesOf(payload));
  expect(namesIn('5.4')).toEqual(namesOf(payload?.properties.items?.items));
  expect(namesOf(Shop)).toEqual(expect.arrayContaining(namesIn('3.1')));
  expect(membersOf('Product', document.components.schemas)).toEqual(expect.arrayContaining(namesIn('3.2')));
  expect([...namesIn('3.3').filter((name) => name !== 'slug'), 'metadata']).toEqual(namesOf(Overrides));
});

interface Schema {
  properties: Record<string, Schema>;
  items?: Schema;
}

interface Document {
  paths: Record<string, Record<string, { security: unknown }>>;
  components: { schemas: Record<string, Schema> };
}

function namesOf(schema: Schema | undefined): string[] {
  return Object.keys(schema?.properties ?? {});
}
