import type { Cloudflare } from '../cloudflare/client.ts';
import type { RunWrangler } from '../cloudflare/wrangler.ts';
import type { DeployConfig, Names } from './config.ts';
import type { SecretFile } from './secret-file.ts';

/** A request to the deployed service, and its answer. */
export type AskService = (
  method: string,
  url: string,
  headers: Record<string, string>,
  body?: unknown,
) => Promise<{ status: number; headers: Headers; body: string }>;

/** One run: what the steps of a deployment share. A dry run reads and says; it writes nothing, not even to a file. */
export interface Run {
  environment: string;
  config: DeployConfig;
  names: Names;
  /** The Worker's name. */
  worker: string;
  cloudflare: Cloudflare;
  wrangler: RunWrangler;
  ask: AskService;
  secrets: SecretFile;
  /** Ids of databases by their names, once they are found or made. */
  databases: Record<string, string>;
  /** Of the commit that is deployed. */
  sha: string;
  isDryRun: boolean;
  /** Set from outside: the operator's receiver of webhooks, and secrets that others make (`GIVEN_SECRETS`). */
  given: { webhookUrl: string | undefined; secrets: Readonly<Record<string, string>> };
  say: (line: string) => void;
  /** One row of the table at the end. */
  did: (what: string, how: string) => void;
  wait: (ms: number) => Promise<void>;
}

/** The path of the Worker's script. */
export function scriptPath({ cloudflare, worker }: Run): string {
  return `${cloudflare.account}/workers/scripts/${worker}`;
}
