import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/**
 * Starts a second service with a new demo in a directory of its own, so that the developer's service is not affected.
 * Ends this process if the service fails.
 * @returns once the demo is ready
 */
export async function startOwnService(port: number, dir: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(ROOT, 'scripts/start.ts')], {
    env: { ...process.env, PORT: String(port), OFFIZIN_STATE_DIR: dir, DEMO_WEBHOOK_URL: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.once('exit', (code) => {
    if (code) process.exit(code);
  });
  let output = '';
  await new Promise<void>((resolve) => {
    // Not stopped after the match: if nobody read the pipe, the service would block once it is full.
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Submit an order request')) resolve();
    });
  });
  return child;
}
