import { MINUTE_MS } from '../../platform/time';
import { type CountedTab, INBOX_TABS, type InboxTab, STATUS_OF_TAB, TAB_COUNTED_MAX } from './store';

/** The number of requests in a tab of the inbox. */
export interface TabCount {
  count: number;
  /** There are more; counting stops at a limit. */
  isMore: boolean;
}

export type TabCounts = Record<InboxTab, TabCount>;

/** What is counted for the inbox. */
export interface Counts {
  tabs: TabCounts;
  /** Orders that wait to be packed, up to `TO_PACK_COUNTED_MAX`. */
  toPack: number;
}

export function tabCountsOf(counted: readonly CountedTab[]): TabCounts {
  const countOf = (tab: InboxTab): TabCount => {
    const ofStatus = counted.filter(({ status }) => status === STATUS_OF_TAB[tab]);
    const { count } = ofStatus.find(({ isFlagged }) => isFlagged === Number(tab === 'needs_info')) ?? { count: 0 };
    return { count, isMore: ofStatus.reduce((sum, each) => sum + each.count, 0) >= TAB_COUNTED_MAX };
  };
  return Object.fromEntries(INBOX_TABS.map((tab) => [tab, countOf(tab)])) as TabCounts;
}

/** Organizations whose counts an isolate keeps; the one that was counted first goes first. */
const KEPT_MAX = 1000;
/** A restored database may have a version a second time. */
const KEPT_MS = MINUTE_MS;

interface KeptCounts {
  version: string;
  countedAt: number;
  counts: Counts;
}

const kept = new Map<string, KeptCounts>();

/** The counts of the organization at this version of its inbox, if this isolate has them. */
export function keptCounts(orgId: string, version: string, now: number): Counts | undefined {
  const found = kept.get(orgId);
  return found && found.version === version && now - found.countedAt < KEPT_MS ? found.counts : undefined;
}

/** @param version read before the counts: a later one says that they are to be counted again */
export function keepCounts(orgId: string, version: string, now: number, counts: Counts): void {
  kept.delete(orgId);
  kept.set(orgId, { version, countedAt: now, counts });
  const [first] = kept.keys();
  if (kept.size > KEPT_MAX && first !== undefined) kept.delete(first);
}
