/** What a restore does with the databases themselves: those of an account, or those of the local service. */
export interface Databases {
  /** In the order of their numbers. */
  readonly names: readonly string[];
  /** So long it takes until every isolate knows what was switched, and what was under way is done. */
  readonly settleMs: number;
  /** The calls of each step, for the plan. */
  readonly calls: { bookmark: string[]; restore: string[]; migrate: string[] };
  /** Where a database stands now, or stood at a time. @throws StartError when nothing of that time is there */
  bookmark(name: string, at?: Date): Promise<string>;
  restore(name: string, bookmark: string): Promise<void>;
  /** Brings all of them to the schema of the code. */
  migrate(): Promise<void>;
}
