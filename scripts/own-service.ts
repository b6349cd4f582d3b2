import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './paths.ts';

/**
 * Starts a service beside the developer's own, with a new demo in a directory of its own. Ends this process where it ends
 * with a failure.
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
    // Read to the end: the service goes on printing.
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('Submit an order request')) resolve();
    });
  });
  return child;
}
