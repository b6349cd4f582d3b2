import { type Config, readConfig } from './config';
import { type Database, openDatabase } from './db';
import { type LogFields, type LogLevel, log } from './log';

/** Who acts. Adapters find it out, use cases check it (`access.ts`), audit rows keep it. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'system' }
  | { kind: 'operator' }
  | { kind: 'api_key'; keyId: string; familyId: string; orgId: string; scopes: readonly string[] }
  | { kind: 'staff'; memberId: string; orgId: string; role: 'owner' | 'pharmacist' | 'staff' };

/** What every use case gets as its first argument: the outside world, and on whose behalf. */
export interface Context {
  readonly db: Database;
  readonly files: R2Bucket;
  readonly queues: Queues;
  readonly limits: RateLimits;
  readonly config: Config;
  readonly actor: Actor;
  readonly requestId: string;
  /** The id of a form that may be sent once; every act that is recorded (audit) claims it in its own batch. */
  readonly formId?: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Lets work outlive the answer, for at most 30 s. A hint, never the only copy: the isolate may end first. */
  readonly defer: (work: Promise<unknown>) => void;
  readonly log: (level: LogLevel, event: string, fields?: LogFields) => void;
}

/** Doorbells: each message holds a row's id and nothing else; the row is the truth. */
export interface Queues {
  webhookDeliveries: Queue<unknown>;
  prescriptionFetches: Queue<unknown>;
}

export interface RateLimits {
  connector: RateLimit;
  api: RateLimit;
  token: RateLimit;
  failedAuth: RateLimit;
  failedAuthNetwork: RateLimit;
  signIn: RateLimit;
  signInNetwork: RateLimit;
}

export interface ContextOptions {
  actor: Actor;
  requestId: string;
  defer: (work: Promise<unknown>) => void;
}

export function openContext(env: Env, options: ContextOptions): Context {
  return {
    ...options,
    db: openDatabase(env.DB),
    files: env.FILES,
    queues: { webhookDeliveries: env.WEBHOOK_DELIVERIES, prescriptionFetches: env.PRESCRIPTION_FETCHES },
    limits: {
      connector: env.RATE_CONNECTOR,
      api: env.RATE_API,
      token: env.RATE_TOKEN,
      failedAuth: env.RATE_FAILED_AUTH,
      failedAuthNetwork: env.RATE_FAILED_AUTH_NETWORK,
      signIn: env.RATE_SIGN_IN,
      signInNetwork: env.RATE_SIGN_IN_NETWORK,
    },
    config: readConfig(env),
    now: () => Date.now(),
    random: () => Math.random(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log: (level, event, fields = {}) => log(level, event, { request_id: options.requestId, ...fields }),
  };
}

/** The same request, now on behalf of somebody. */
export function actingAs(ctx: Context, actor: Actor): Context {
  return { ...ctx, actor };
}
