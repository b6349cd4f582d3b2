import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { Catcher } from './catcher';
import { freePort, Service } from './service';

/** A service with data of its own, started before the tests of a file and removed after them. @returns it and a folder */
export async function ownService({ isStarted = true } = {}): Promise<{ service: Service; dir: string }> {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-test-'));
  const service = new Service(await freePort(), join(dir, 'state'));
  if (isStarted) {
    beforeAll(async () => {
      await service.start();
    });
  }
  afterAll(() => {
    service.destroy();
    rmSync(dir, { recursive: true, force: true });
  });
  return { service, dir };
}

/** A receiver of webhooks for the tests of a file. */
export async function ownCatcher(): Promise<Catcher> {
  const catcher = await new Catcher().open();
  afterAll(() => catcher.close());
  return catcher;
}
