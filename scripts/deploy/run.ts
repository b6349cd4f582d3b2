import type { Cloudflare } from '../cloudflare/client.ts';
import type { RunWrangler } from '../cloudflare/wrangler.ts';
import type { DeployConfig, Names, writeConfig } from './config.ts';
import type { SecretFile } from './secret-file.ts';

/** Makes a request to the deployed service and returns the answer. */
export type AskService = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
) => Promise<{ status: number; headers: Headers; body: string }>;

/** The input of a deployment. */
export interface Deployment {
  environment: string;
  config: DeployConfig;
  /** Output of `git status --porcelain`. */
  changes: string;
  /** The SHA of the commit that is deployed. */
  sha: string;
  /** Whether to read and print only. A dry run writes nothing, not even to a file. */
  isDryRun: boolean;
  /** Environment variables, such as CLOUDFLARE_API_TOKEN. */
  env: Readonly<Record<string, string | undefined>>;
  /** The folder of the encrypted secrets. */
  dir: string;
  wrangler: RunWrangler;
  ask: AskService;
  /** Writes the configuration with the ids of the account. */
  writeConfig: typeof writeConfig;
  say: (line: string) => void;
  wait: (ms: number) => Promise<void>;
}

/** One pass through the steps of a deployment, with the data that the steps share. */
export interface Run extends Deployment {
  names: Names;
  /** The Worker's name. */
  worker: string;
  cloudflare: Cloudflare;
  secrets: SecretFile;
  /** The ids of the databases that have been found or created so far, by name. */
  databases: Record<string, string>;
  /** Adds a row to the table that is printed at the end. */
  did: (what: string, how: string) => void;
}

/** The path of the Worker's script. */
export function scriptPath({ cloudflare, worker }: Run): string {
  return `${cloudflare.account}/workers/scripts/${worker}`;
}
