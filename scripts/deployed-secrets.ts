/**
 * `npm run secrets -- --env staging|production`: prints the names of the secrets that deployments store. `--show NAME`
 * prints a secret, such as the operator's token. `--set NAME` reads a new value from standard input and stores it for
 * the next deployment. The previous value is kept, too. docs/deploying.md
 */
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { assertAlertSecret, parseOperatorTokens, parseRoots } from '../src/platform/crypto/secret-values.ts';
import { readDeployConfig } from './deploy/config.ts';
import { SecretFile } from './deploy/secret-file.ts';
import { ENVIRONMENTS, SECRETS_DIR } from './deploy.ts';
import { runCommand, StartError } from './errors.ts';
import { ROOT } from './paths.ts';

export interface Asked {
  environment: string;
  secrets: SecretFile;
  /** The names of the secrets that the Worker needs. */
  required: readonly string[];
  show?: string | undefined;
  set?: string | undefined;
  /** The ids of root secrets that the new value may leave out. */
  drop?: readonly string[];
  /** Returns the new value. */
  value: () => Promise<string>;
}

/** Carries out the command. @returns the text to print */
export async function answerAbout({
  environment,
  secrets,
  required,
  show,
  set,
  drop = [],
  value,
}: Asked): Promise<string> {
  if (set !== undefined) {
    if (!required.includes(set))
      throw new StartError(`The Worker has no secret ${set}: it has ${required.join(', ')}.`);
    const given = (await value()).trim();
    if (given === '') throw new StartError('Standard input held no value.');
    assertUsable(set, given, secrets.values[set], drop);
    await secrets.keep(set, given);
    return `${set} is kept: commit ${secrets.path}. The Worker gets it with the next deployment: npm run deploy -- --env ${environment}`;
  }
  if (show === undefined) return Object.keys(secrets.values).join('\n');
  const found = secrets.values[show];
  if (found === undefined) throw new StartError(`${secrets.path} has no ${show}.`);
  return found;
}

/**
 * @throws StartError if the Worker would not start with the value, or if a root secret that data may need is missing
 */
function assertUsable(name: string, value: string, before: string | undefined, drop: readonly string[]): void {
  try {
    if (name === 'OPERATOR_TOKENS') parseOperatorTokens(value);
    else if (name === 'ALERT_SECRET') assertAlertSecret(value);
    else if (name === 'ROOT_SECRETS') parseRoots(value);
  } catch (error) {
    throw new StartError(`Nothing was kept. ${error instanceof Error ? error.message : ''}.`);
  }
  if (name !== 'ROOT_SECRETS' || before === undefined) return;
  const ids = parseRoots(value).byId;
  const lost = [...parseRoots(before).byId.keys()].filter((id) => !ids.has(id) && !drop.includes(id));
  if (lost.length === 0) return;
  throw new StartError(
    `Nothing was kept: ${name} would lose ${lost.join(', ')}. Put the new root in front of those that it has; once nothing needs an old one (docs/operating.md), add --drop ${lost[0]}.`,
  );
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...{ env: { type: 'string', default: '' }, show: { type: 'string' }, set: { type: 'string' } },
      drop: { type: 'string', multiple: true },
    },
  });
  const { env: environment, show, set, drop } = values;
  if (!ENVIRONMENTS.includes(environment)) throw new StartError('Say whose: --env staging|production');
  const secrets = await SecretFile.open(join(ROOT, SECRETS_DIR), environment, process.env.DEPLOY_KEY);
  const required = readDeployConfig(environment).secrets?.required ?? [];
  const value = () => text(process.stdin);
  console.log(await answerAbout({ environment, secrets, required, show, set, drop, value }));
}

if (import.meta.main) await runCommand(main);
