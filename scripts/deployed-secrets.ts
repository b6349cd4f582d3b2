/**
 * `npm run secrets -- --env staging|production`: the names of the secrets that deployments keep. `--show NAME` prints one, the
 * operator's token for example; `--set NAME` takes another value from standard input, keeps it and gives it to the Worker.
 * docs/deploying.md
 */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { type RunWrangler, runWrangler } from './cloudflare/wrangler.ts';
import { readDeployConfig, writtenConfig } from './deploy/config.ts';
import { Kept } from './deploy/kept.ts';
import { ENVIRONMENTS } from './deploy.ts';
import { StartError } from './errors.ts';
import { ROOT } from './paths.ts';

export interface Asked {
  environment: string;
  kept: Kept;
  /** The secrets that the Worker has to have. */
  required: readonly string[];
  show?: string | undefined;
  set?: string | undefined;
  /** The new value. */
  value: () => Promise<string>;
  wrangler: RunWrangler;
}

/** @returns what to print */
export async function answerAbout({ environment, kept, required, show, set, value, wrangler }: Asked): Promise<string> {
  if (set !== undefined) {
    if (!required.includes(set))
      throw new StartError(`The Worker has no secret ${set}: it has ${required.join(', ')}.`);
    const given = (await value()).trim();
    if (given === '') throw new StartError('Standard input held no value.');
    // Kept first: a value that only the Worker has can never be read again.
    kept.keepSecret(set, given);
    await wrangler(['secret', 'put', set, '--env', environment, '--config', writtenConfig(environment)], given);
    return `${set} is kept, and the Worker has it.`;
  }
  if (show === undefined) return Object.keys(kept.secrets).join('\n');
  const found = kept.secrets[show];
  if (found === undefined) throw new StartError(`${kept.secretsPath} has no ${show}.`);
  return found;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { env: { type: 'string', default: '' }, show: { type: 'string' }, set: { type: 'string' } },
  });
  const { env: environment, show, set } = values;
  if (!ENVIRONMENTS.includes(environment)) throw new StartError('Say whose: --env staging|production');
  const kept = new Kept(join(ROOT, '.deploy'), environment, process.env.DEPLOY_PASSPHRASE);
  const required = readDeployConfig(environment).secrets?.required ?? [];
  const value = () => text(process.stdin);
  console.log(await answerAbout({ environment, kept, required, show, set, value, wrangler: runWrangler }));
}

if (import.meta.main) {
  await main().catch((error) => {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  });
}
