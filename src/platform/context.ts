import { type Config, readConfig } from './config';
import { type Databases, openDatabases } from './data/databases';
import type { Database } from './data/db';
import type { Condition, Statement } from './data/statements';
import { type LogFields, type LogLevel, log } from './log';

/**
 * The actor on whose behalf the code runs. Adapters determine it, use cases check it (`access.ts`), and audit rows
 * store it.
 */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'system' }
  | { kind: 'operator'; name: string }
  | {
      kind: 'api_key';
      keyId: string;
      familyId: string;
      orgId: string;
      scopes: readonly string[];
      /** Shops whose prescriptions the key may read; null for all. */
      prescriptionShopIds?: readonly string[] | null;
    }
  | { kind: 'staff'; memberId: string; orgId: string; role: 'owner' | 'pharmacist' | 'staff' };

/**
 * The first argument of every use case. It holds the connections to the outside world, and the actor on whose behalf
 * the code runs.
 */
export interface Context {
  /** The database of the organization. It is `DB` until the adapter knows the organization. */
  readonly db: Database;
  readonly databases: Databases;
  readonly files: R2Bucket;
  readonly queues: Queues;
  readonly mail: Mail | null;
  readonly limits: RateLimits;
  readonly config: Config;
  readonly actor: Actor;
  readonly requestId: string;
  /**
   * The id of a form that may be submitted once. Every audited action stores the id in its batch, and a unique index
   * refuses a second row with the same id.
   */
  readonly formId?: string;
  /** How the command uses up its `Idempotency-Key`. Undefined if the request sent none. */
  readonly keyed?: KeyedCommand;
  /** The current time, epoch ms. */
  readonly now: () => number;
  /** A random number from 0 up to, but not including, 1. */
  readonly random: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /**
   * Lets work continue after the response, for at most 30 s. The isolate may end earlier, so the work must not hold the
   * only copy of anything.
   */
  readonly defer: (work: Promise<unknown>) => void;
  readonly log: (level: LogLevel, event: string, fields?: LogFields) => void;
}

/** A command that uses up an `Idempotency-Key` with the first batch that it commits (src/idempotency). */
export interface KeyedCommand {
  /**
   * `open`: no batch has used the key yet. `committed`: a batch has used it. `over`: the command was answered, and
   * later batches of the request do not use the key.
   */
  state: 'open' | 'committed' | 'over';
  /**
   * Returns the statement that uses up the key. It rolls the batch back if the key was used before.
   * @param about the id of the entity that the command makes or changes; default: the id in the command's path
   */
  readonly claim: (about?: string, onlyIf?: Condition) => Statement;
  /** Name of the unique constraint that refuses a used key. */
  readonly takenConstraint: string;
}

/**
 * The queues. A message names a row by its database and id, and the row holds the state. A message of `jobs` names a
 * database and a minute instead: the jobs of that minute are due. A message of `signatureChecks` may also name a
 * trusted list.
 */
interface Queues {
  webhookDeliveries: Queue<unknown>;
  prescriptionFetches: Queue<unknown>;
  jobs: Queue<unknown>;
  /** Consumed by the Worker that checks signatures. */
  signatureChecks: Queue<unknown>;
}

/** The binding that sends e-mails, and the sender's address. */
export interface Mail {
  binding: Pick<SendEmail, 'send'>;
  from: string;
  /**
   * Whether the e-mails are left to the sweep, which runs every minute. True for a command on many orders, because it
   * has no queries left to send e-mails.
   */
  isLater?: boolean;
}

/**
 * Returns the binding and the sender of e-mails. Null if no sender's address is configured, or if the deployment lacks
 * the optional binding.
 */
function mailOf({ EMAIL }: Env & { EMAIL?: SendEmail }, { emailFrom }: Config): Mail | null {
  return EMAIL && emailFrom ? { binding: EMAIL, from: emailFrom } : null;
}

type RateLimits = ReturnType<typeof limitsOf>;

function limitsOf(env: Env) {
  return {
    connector: env.RATE_CONNECTOR,
    connectorReads: env.RATE_CONNECTOR_READS,
    api: env.RATE_API,
    token: env.RATE_TOKEN,
    failedAuth: env.RATE_FAILED_AUTH,
    failedAuthNetwork: env.RATE_FAILED_AUTH_NETWORK,
    signIn: env.RATE_SIGN_IN,
    signInNetwork: env.RATE_SIGN_IN_NETWORK,
  };
}

export type ContextOptions = Pick<Context, 'actor' | 'requestId' | 'defer'>;

export function openContext(env: Env, options: ContextOptions): Context {
  const databases = openDatabases(env);
  const config = readConfig(env);
  return {
    ...options,
    db: databases.at(0),
    databases,
    files: env.FILES,
    queues: {
      webhookDeliveries: env.WEBHOOK_DELIVERIES,
      prescriptionFetches: env.PRESCRIPTION_FETCHES,
      jobs: env.JOBS,
      signatureChecks: env.SIGNATURE_CHECKS,
    },
    limits: limitsOf(env),
    mail: mailOf(env, config),
    config,
    now: () => Date.now(),
    random: () => Math.random(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    log: (level, event, fields = {}) => log(level, event, { request_id: options.requestId, ...fields }),
  };
}

/** Returns the same context with another actor. */
export function actingAs(ctx: Context, actor: Actor): Context {
  return { ...ctx, actor };
}

/**
 * Returns the same context for a sweep's work in one organization. If the organization has begun to move to another
 * database since the sweep found the work, a batch of this context is rolled back.
 */
export function forOrganization(ctx: Context, orgId: string): Context {
  const { shard } = ctx.db;
  return withDatabase(ctx, ctx.databases.of(shard, { orgId, find: async () => shard }));
}

/**
 * Returns the same context, but its batches are written even while the organization moves to another database. Use it
 * for the outcome of work that began before the move, such as a webhook post. The move copies the organization only
 * after this work.
 */
export function evenIfMoving(ctx: Context): Context {
  return withDatabase(ctx, ctx.databases.at(ctx.db.shard));
}

/** Returns the same context on another database. */
export function withDatabase(ctx: Context, db: Database): Context {
  return { ...ctx, db };
}

/** Returns the same context on each bound database, in the order of the databases' numbers. */
export function onEachDatabase(ctx: Context): Context[] {
  return Array.from({ length: ctx.databases.count }, (_, shard) => withDatabase(ctx, ctx.databases.at(shard)));
}

/** Returns the same context on each bound database except its own. */
export function onOtherDatabases(ctx: Context): Context[] {
  return onEachDatabase(ctx).filter(({ db }) => db.shard !== ctx.db.shard);
}
