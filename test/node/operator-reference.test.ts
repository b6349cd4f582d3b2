import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

test('the reference of the operator API names every call, and no other', async () => {
  const { operatorRoutes } = await import(resolve(ROOT, 'src/operator/routes.ts'));
  const { readyRoutes } = await import(resolve(ROOT, 'src/operator/ready.ts'));
  const mounted = ([...operatorRoutes.routes, ...readyRoutes.routes] as { method: string; path: string }[])
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const reference = readFileSync(resolve(ROOT, 'docs/operator-api.md'), 'utf8');
  const told = [...reference.matchAll(/^## ([A-Z]+ \/\S*)$/gm)].map(([, call]) => call);
  expect(told.sort()).toEqual([...new Set(mounted)].sort());
});
