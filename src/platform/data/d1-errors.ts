import { organizationUnavailable, unavailable } from '../errors';

/** An invariant of the schema refused the batch; nothing was written. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError';

  /**
   * @param constraint the name of a CHECK, or `table.column, table.column` of a unique index or key
   * @param isResent the batch was sent twice, and the first one may have been committed
   */
  constructor(
    readonly kind: 'unique' | 'check' | 'foreign_key' | 'not_null' | 'other',
    readonly constraint: string,
    readonly isResent = false,
  ) {
    super(`${kind}: ${constraint}`);
  }
}

/** Reasons of a batch that undoes itself. */
export const NOT_HERE = 'organization_not_here';
export const TO_REPEAT = 'to_repeat';

export function isNotHere(error: unknown): boolean {
  return error instanceof Error && error.message === NOT_HERE;
}

/** The errors that D1 documents as safe to retry (developers.cloudflare.com/d1/observability/debug-d1). */
const TRANSIENT =
  /Network connection lost|storage caused object to be reset|reset because its code was updated|Cannot resolve D1 DB due to transient issue/i;

export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(text(error));
}

/** D1 appends SQLite's extended error code to the message. Without such a code the database itself was not reached. */
export function translate(error: unknown, isResent: boolean): Error {
  const message = text(error);
  const constraint = message.match(/(UNIQUE|CHECK|FOREIGN KEY|NOT NULL) constraint failed(?:: ([^:]+))?/);
  if (constraint) {
    const kind = constraint[1]?.toLowerCase().replace(' ', '_') as ConstraintError['kind'];
    return new ConstraintError(kind, constraint[2]?.trim() ?? '', isResent);
  }
  if (/SQLITE_CONSTRAINT/.test(message))
    return new ConstraintError('other', message.match(/D1_ERROR: (\w+)/)?.[1] ?? '', isResent);
  if (message.includes(`bad JSON path: '${NOT_HERE}'`)) return new Error(NOT_HERE);
  if (message.includes(`bad JSON path: '${TO_REPEAT}'`)) return unavailable();
  // The first that an organization's batch asks for: a database that was never set up stands in the place of its own.
  if (/no such table: (installation|organizations)\b/.test(message)) return organizationUnavailable();
  if (isRefused(message)) {
    // A statement that SQLite refuses is a bug of this service. The message may quote the statement, so it is not
    // passed on.
    return new Error(`D1 refused a statement: ${message.match(/SQLITE_\w+/)?.[0] ?? 'D1_TYPE_ERROR'}`);
  }
  return unavailable();
}

function isRefused(message: string): boolean {
  return /SQLITE_(?!BUSY|FULL|IOERR|NOMEM)|D1_TYPE_ERROR|Wrong number of parameter/.test(message);
}

/** How D1 failed, for the log: its messages may quote statements. */
export type FailureClass = 'overloaded' | 'full' | 'locked' | 'reset' | 'timeout' | 'refused' | 'unreachable';

const CLASSES: readonly [FailureClass, RegExp][] = [
  ['overloaded', /overloaded|SQLITE_NOMEM|memory limit|CPU time limit/i],
  ['full', /SQLITE_FULL|maximum DB size/i],
  ['locked', /SQLITE_BUSY|SQLITE_LOCKED|database is locked/i],
  ['reset', /reset/i],
  ['timeout', /timeout|timed out/i],
];

/** Undefined for what an invariant refused, or a batch that undid itself: D1 did not fail. */
export function failureClassOf(error: unknown): FailureClass | undefined {
  const message = text(error);
  if (/constraint failed|SQLITE_CONSTRAINT|bad JSON path/.test(message)) return undefined;
  const known = CLASSES.find(([, pattern]) => pattern.test(message));
  return known?.[0] ?? (isRefused(message) ? 'refused' : 'unreachable');
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return error.cause instanceof Error ? `${error.message} ${error.cause.message}` : error.message;
}
