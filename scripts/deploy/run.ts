import type { Cloudflare } from '../cloudflare/client.ts';
import type { RunWrangler } from '../cloudflare/wrangler.ts';
import type { DeployConfig, Names, writeConfig } from './config.ts';
import type { SecretFile } from './secret-file.ts';

/** A request to the deployed service, and its answer. */
export type AskService = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
) => Promise<{ status: number; headers: Headers; body: string }>;

/** What a deployment is given. */
export interface Deployment {
  environment: string;
  config: DeployConfig;
  /** Output of `git status --porcelain`. */
  changes: string;
  /** Of the commit that is deployed. */
  sha: string;
  /** A dry run reads and says; it writes nothing, not even to a file. */
  isDryRun: boolean;
  /** CLOUDFLARE_API_TOKEN and so on. */
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

/** One way through the steps of a deployment, and what they share. */
export interface Run extends Deployment {
  names: Names;
  /** The Worker's name. */
  worker: string;
  cloudflare: Cloudflare;
  secrets: SecretFile;
  /** Ids of databases by their names, once they are found or made. */
  databases: Record<string, string>;
  /** One row of the table at the end. */
  did: (what: string, how: string) => void;
}

/** The path of the Worker's script. */
export function scriptPath({ cloudflare, worker }: Run): string {
  return `${cloudflare.account}/workers/scripts/${worker}`;
}
