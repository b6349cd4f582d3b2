/** In the order in which they are told. */
export const CHECKS = [
  'cron',
  'databases',
  'directory',
  'schema',
  'canaries',
  'deliveries',
  'dead_letters',
  'retention',
  'deletions',
  'size',
  'errors',
  'jobs',
  'hosts',
] as const;
export type CheckName = (typeof CHECKS)[number];
export type CheckStatus = 'ok' | 'warning' | 'failing';

export interface Check {
  status: CheckStatus;
  /** The figure behind it; null where it cannot be known. */
  figure: number | null;
  /** What is wrong, where the name of the check does not say it. */
  code?: string;
  /** The number of the database that it is about. */
  shard?: number;
  /** What it is about: names of secrets, columns, indexes, jobs. */
  names?: readonly string[];
}
