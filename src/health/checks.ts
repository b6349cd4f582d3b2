import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/time';
import type { TrustLists } from '../signatures/trust/kept';
import { DATABASE_BYTES_MAX, DATABASE_BYTES_WARNING } from '../tenants/limits';
import type { BackupState } from './backups';
import {
  type BucketFacts,
  type Check,
  type CheckStatus,
  type DatabaseFacts,
  directoryCheck,
  type Facts,
} from './facts';
import * as limits from './limits';
import type { FailedJob } from './notes';
import type { Figures } from './store';

export type Checks = ReturnType<typeof judge>;

/** Evaluates all checks, in the order in which they are reported. */
export function judge(facts: Facts) {
  const { now, databases, bucket } = facts;
  const figures = databases.flatMap(({ answer }) => answer?.figures ?? []);
  return {
    cron: bucket ? cronCheck(bucket.read.record, now) : NO_BUCKET,
    databases: databasesCheck(databases),
    directory: directoryCheck(databases, bucket?.installations),
    schema: schemaCheck(databases),
    canaries: bucket ? canariesCheck(bucket) : NO_BUCKET,
    deliveries: deliveriesCheck(figures, now),
    dead_letters: bucket ? atLeast(bucket.noted.deadLetters, 1) : NO_BUCKET,
    retention: retentionCheck(facts, figures),
    deletions: deletionsCheck(facts),
    size: sizeCheck(databases),
    errors: bucket ? errorsCheck(bucket.noted.answers) : NO_BUCKET,
    jobs: bucket ? jobsCheck(bucket.noted.jobs) : NO_BUCKET,
    hosts: atLeast(sum(figures, 'moved'), 1),
    trust_lists: bucket ? trustListsCheck(bucket.trustLists, now) : NO_BUCKET,
    reservations: reservationsCheck(figures),
    backup: bucket ? backupCheck(bucket.backup, now) : NO_BUCKET,
  } satisfies Record<string, Check>;
}

type Counted = 'moved' | 'unbalanced' | 'failing' | 'onHold' | 'ended' | 'exhausted' | 'failingOrganizations';

function sum(figures: readonly Figures[], of: Counted): number {
  return figures.reduce((total, each) => total + each[of], 0);
}

/** Returns the worst status of these checks. */
export function worstOf(checks: readonly Pick<Check, 'status'>[]): CheckStatus {
  const each = checks.map(({ status }) => status);
  return each.includes('failing') ? 'failing' : each.includes('warning') ? 'warning' : 'ok';
}

const NO_BUCKET: Check = { status: 'failing', figure: null, code: 'bucket_unreachable' };

function atLeast(figure: number, warning: number): Check {
  return { status: figure >= warning ? 'warning' : 'ok', figure };
}

/**
 * Returns the check. Its figure is the number of seconds since the cron last began or, before its first run, since the
 * first check.
 */
export function cronCheck({ ranAt, since }: BucketFacts['read']['record'], now: number): Check {
  const figure = Math.round((now - (ranAt ?? since)) / SECOND_MS);
  const most = ranAt === null ? limits.CRON_FIRST_SECONDS_MAX : limits.CRON_SECONDS_MAX;
  return { status: figure > most ? 'failing' : 'ok', figure };
}

/** Returns the check. Its figure is how many ms the slowest database took to answer. */
function databasesCheck(databases: readonly DatabaseFacts[]): Check {
  const figure = Math.max(...databases.map(({ durationMs }) => durationMs));
  const down = databases.find(({ answer }) => answer === null);
  if (down) return { status: 'failing', figure, code: 'unreachable', shard: down.shard };
  const slowest = databases.find(({ durationMs }) => durationMs === figure);
  return figure >= limits.ANSWER_MS_WARNING
    ? { status: 'warning', figure, code: 'slow', shard: slowest?.shard }
    : { status: 'ok', figure };
}

/** Returns the check. Its figure is how many columns and other objects the first incomplete database lacks. */
function schemaCheck(databases: readonly DatabaseFacts[]): Check {
  const lacking = databases.find(({ answer }) => answer && (answer.missing.length > 0 || answer.figures === null));
  if (!lacking?.answer) return { status: 'ok', figure: 0 };
  const { missing } = lacking.answer;
  return { status: 'failing', figure: missing.length, shard: lacking.shard, names: missing.slice(0, NAMES_MAX) };
}

const NAMES_MAX = 10;

/**
 * Returns the check. Its figure is 1 if the root secrets in `ROOT_SECRETS` differ from those that this deployment had
 * before, else 0.
 */
function canariesCheck({ canaries }: BucketFacts): Check {
  return canaries.areWrong ? { status: 'failing', figure: 1, names: ['ROOT_SECRETS'] } : { status: 'ok', figure: 0 };
}

/**
 * Returns the check. Its figure is how many seconds the oldest event of an order has waited for its delivery. Failing
 * receivers of one pharmacy are a warning. Failing receivers of several pharmacies, and deliveries that are due but not
 * tried, are a fault of this service.
 */
function deliveriesCheck(figures: readonly Figures[], now: number): Check {
  const age = (of: (each: Figures) => number | null) =>
    Math.max(0, ...figures.map((each) => Math.round((now - (of(each) ?? now)) / SECOND_MS)));
  const figure = age(({ oldestAt }) => oldestAt);
  const [failing, onHold] = [sum(figures, 'failing'), sum(figures, 'onHold')];
  if (age(({ dueAt }) => dueAt) >= limits.OVERDUE_SECONDS_MAX) return { status: 'failing', figure, code: 'not_tried' };
  const [ended, exhausted] = [sum(figures, 'ended'), sum(figures, 'exhausted')];
  const isWide = sum(figures, 'failingOrganizations') >= limits.FAILING_ORGANIZATIONS_MAX;
  if (isWide && exhausted >= ended * limits.EXHAUSTED_SHARE_MAX)
    return { status: 'failing', figure, code: 'given_up_widely' };
  if (onHold > 0) return { status: 'warning', figure, code: 'receivers_on_hold' };
  if (failing > 0) return { status: 'warning', figure, code: 'receivers_failing' };
  return figure >= limits.UNDELIVERED_SECONDS_WARNING
    ? { status: 'warning', figure, code: 'undelivered' }
    : { status: 'ok', figure };
}

/**
 * Returns the check. Its figure is the number of products whose reserved quantity is not the sum of their reservations.
 */
function reservationsCheck(figures: readonly Figures[]): Check {
  const figure = sum(figures, 'unbalanced');
  return { status: figure > 0 ? 'failing' : 'ok', figure };
}

/**
 * Returns the check. Its figure is the number of hours since everything was last backed up; null without a bucket for
 * backups.
 */
function backupCheck(state: BackupState | null, now: number): Check {
  if (!state) return { status: 'ok', figure: null };
  const { since, done_at, journal_at, failure } = state;
  const figure = Math.floor((now - Math.min(done_at ?? since, journal_at ?? since)) / HOUR_MS);
  const check = atLeast(figure, limits.BACKUP_HOURS_MAX);
  return check.status === 'warning' && failure ? { ...check, names: [failure] } : check;
}

/**
 * Returns the check. Its figure is the number of consecutive nights in which retention did not finish, on the database
 * with the most such nights.
 */
function retentionCheck({ now, deletions, bucket }: Facts, figures: readonly Figures[]): Check {
  // Another check reports paused deletions.
  if (deletions === 'paused' || figures.length === 0) return { status: 'ok', figure: 0 };
  const lastNight = dayOf(now - limits.NIGHT_ENDS_HOUR * HOUR_MS - HOUR_MS / 12);
  const since = bucket ? dayOf(bucket.read.record.since) : lastNight;
  const behind = figures.map(({ doneNight }) => nightsBetween(doneNight ?? since, lastNight));
  const figure = Math.max(0, ...behind);
  return { status: figure >= limits.NIGHTS_MAX ? 'failing' : figure > 0 ? 'warning' : 'ok', figure };
}

function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function nightsBetween(day: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(day)) / DAY_MS);
}

/** Returns the check. Its figure is the number of hours for which deletions have been paused. */
function deletionsCheck({ now, deletions, bucket }: Facts): Check {
  if (deletions !== 'paused') return { status: 'ok', figure: 0 };
  const figure = Math.floor((now - (bucket?.read.record.pausedSince ?? now)) / HOUR_MS);
  return { ...atLeast(figure, limits.PAUSED_HOURS_MAX), code: 'paused' };
}

/** Returns the check. Its figure is the share of D1's size limit that the fullest database uses. */
function sizeCheck(databases: readonly DatabaseFacts[]): Check {
  const sizes = databases.map(({ shard, answer }) => ({ shard, bytes: answer?.sizeBytes ?? 0 }));
  const fullest = sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most));
  const figure = shareOf(fullest.bytes, DATABASE_BYTES_MAX);
  return fullest.bytes >= DATABASE_BYTES_WARNING
    ? { status: 'warning', figure, shard: fullest.shard }
    : { status: 'ok', figure };
}

/**
 * Returns the check. Its figure is the share of failed requests, in the isolates in which at least one request failed.
 */
function errorsCheck({ total, failed }: { total: number; failed: number }): Check {
  const figure = total === 0 ? 0 : shareOf(failed, total);
  const isOver = (limit: { count: number; share: number }) => failed >= limit.count && figure >= limit.share;
  return { status: isOver(limits.ERRORS_MAX) ? 'failing' : isOver(limits.ERRORS_WARNING) ? 'warning' : 'ok', figure };
}

/**
 * Returns the check. Its figure is the number of jobs that failed recently. `names` begins with the jobs that have
 * failed for at least `JOBS_FAILING_MINUTES`.
 */
function jobsCheck(jobs: readonly FailedJob[]): Check {
  const isLasting = ({ at, since }: FailedJob) => at - since >= limits.JOBS_FAILING_MINUTES * MINUTE_MS;
  const [lasting, others] = [jobs.filter(isLasting), jobs.filter((job) => !isLasting(job))];
  if (jobs.length === 0) return { status: 'ok', figure: 0 };
  const names = [...lasting, ...others].map(({ name }) => name).slice(0, NAMES_MAX);
  return { status: lasting.length > 0 ? 'failing' : 'warning', figure: jobs.length, names };
}

/**
 * Returns the check. Its figure is the number of trusted lists that have expired, were refused, or could never be
 * fetched. `names` lists them. If the server of a list does not answer, the list is reported only when the kept copy
 * has expired.
 */
function trustListsCheck({ kept, tried }: TrustLists, now: number): Check {
  const refused = tried.filter(({ territory, failure }) => {
    const isKept = kept.some((each) => each.territory === territory);
    return failure !== null && (failure !== 'no_answer' || !isKept);
  });
  const expired = kept.filter(({ nextUpdate }) => nextUpdate !== null && nextUpdate < now);
  const names = [
    ...refused.map(({ territory, failure }) => `${territory}: ${failure}`),
    ...expired.map(({ territory }) => `${territory}: expired`),
  ].sort();
  if (names.length === 0) return { status: 'ok', figure: 0 };
  return { status: 'warning', figure: names.length, names: names.slice(0, NAMES_MAX) };
}

function shareOf(part: number, whole: number): number {
  return Math.round((part / whole) * 10_000) / 10_000;
}
