import type { Check } from './check';
import type { DatabaseFacts } from './facts';

/**
 * Whether the databases are those that the directory and the bucket know. The figure is the number of organizations that are
 * missing on one side.
 * @param installations the ids that the bucket has of its databases; undefined when it cannot be read
 */
export function directoryCheck(
  databases: readonly DatabaseFacts[],
  installations: ReadonlyMap<number, string> = new Map(),
): Check {
  const entries = databases[0]?.answer?.figures?.entries ?? [];
  const isMoving = databases.some(({ answer }) => (answer?.figures?.moving ?? 0) > 0);
  for (const { shard, answer } of databases) {
    const figures = answer?.figures;
    const listed = entries.find((each) => each.shard === shard) ?? { count: 0, settled: 0 };
    const known = installations.get(shard);
    if (answer?.isEmpty && known !== undefined) {
      return { status: 'failing', figure: listed.count, code: 'database_exchanged', shard };
    }
    if (!figures) continue;
    const isOther = known !== undefined && figures.installation !== known;
    if (isOther || (figures.organizations === 0 && listed.count > 0)) {
      return {
        status: 'failing',
        figure: Math.max(0, listed.count - figures.organizations),
        code: 'database_exchanged',
        shard,
      };
    }
    // An organization on its way to another database is on both for a moment.
    if (isMoving) continue;
    const missing = listed.settled - figures.settled;
    if (missing > 0) return { status: 'failing', figure: missing, code: 'organizations_missing', shard };
    const unlisted = databases[0]?.answer?.figures ? figures.active - listed.count : 0;
    if (unlisted > 0) return { status: 'failing', figure: unlisted, code: 'entries_missing', shard };
  }
  const unbound = [...installations.keys()].find((shard) => shard >= databases.length);
  if (unbound !== undefined) return { status: 'failing', figure: 0, code: 'database_not_bound', shard: unbound };
  return { status: 'ok', figure: 0 };
}
