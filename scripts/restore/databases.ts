/** The operations of a restore on the databases of an account, or on those of the local service. */
export interface Databases {
  /** The names of the databases, in the order of their numbers. */
  readonly names: readonly string[];
  /** The time in ms until every isolate knows the new switches and earlier work has ended. */
  readonly settleMs: number;
  /** The calls of each step, as the plan prints them. */
  readonly calls: { bookmark: string[]; restore: string[]; migrate: string[] };
  /**
   * Returns a bookmark of the current state of a database, or of its state at a time. @throws StartError if there is
   * none
   */
  bookmark(name: string, at?: Date): Promise<string>;
  restore(name: string, bookmark: string): Promise<void>;
  /** Migrates all databases to the schema of the code. */
  migrate(): Promise<void>;
}
