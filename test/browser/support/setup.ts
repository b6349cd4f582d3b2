import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { freePort, Service } from '../../node/support/service';

declare module 'vitest' {
  interface ProvidedContext {
    service: { port: number; dir: string };
  }
}

/** One started service for all browser tests: each keeps to organizations of its own. */
export default async function startService({ provide }: TestProject): Promise<() => void> {
  const dir = mkdtempSync(join(tmpdir(), 'offizin-browser-'));
  const service = new Service(await freePort(), dir);
  const end = () => {
    service.destroy();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await service.start();
  } catch (error) {
    end();
    throw error;
  }
  provide('service', { port: service.port, dir });
  return end;
}
