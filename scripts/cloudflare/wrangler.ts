import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { StartError } from '../errors.ts';
import { ROOT } from '../paths.ts';

/**
 * Runs wrangler against the account.
 * @param stdin the content of `/dev/stdin`: secrets, which are therefore in no file
 * @throws StartError if wrangler fails
 */
export type RunWrangler = (args: readonly string[], stdin?: string) => Promise<void>;

/** wrangler's environment: it asks no questions, and writes nothing that was sent to a file. */
export const QUIET = {
  CI: 'true',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  // Hiding the banner also disables the check for a newer version.
  WRANGLER_HIDE_BANNER: 'true',
  WRANGLER_WRITE_LOGS: 'false',
  // Independent of the caller's own setting: the log must say why a Worker does not start.
  WRANGLER_LOG: 'log',
};

/** The installed wrangler. It takes token, account and the API's address from the environment. */
export const runWrangler: RunWrangler = async (args, stdin) => {
  const cli = [process.execPath, '--no-warnings', fileURLToPath(import.meta.resolve('wrangler')), ...args];
  // The shell makes a pipe. Node would give the child a socket, which cannot be opened as `/dev/stdin`.
  const [command = '', ...rest] = stdin === undefined ? cli : ['sh', '-c', 'cat | "$0" "$@"', ...cli];
  const child = spawn(command, rest, {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // A process that ends before it has read everything reports this by its exit code.
  child.stdin.on('error', () => undefined).end(stdin);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new StartError(`wrangler ${args.join(' ')} ended with ${code}; its reason stands above.`);
};
