import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { openApiDocument } from './support/document';

const BASE_URL = 'https://api.offizin.example';

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
