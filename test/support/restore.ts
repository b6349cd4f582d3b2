import { newId } from '../../src/platform/ids';
import { databaseOf, operate, rowsIn, SHARDS } from './world';

type Row = Record<string, unknown>;

/** Saves all databases. @returns what puts them back as they are now, as Time Travel does */
export async function saved(): Promise<() => Promise<void>> {
  const states = await Promise.all(SHARDS.map(stateOf));
  return async () => {
    for (const [shard, state] of states.entries()) await putBack(shard, state);
  };
}

async function stateOf(shard: number): Promise<Map<string, Row[]>> {
  const tables = await rowsIn<{ name: string }>(
    shard,
    `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name <> 'd1_migrations'
       and name not like 'sqlite%' and name not like 'search_words%'`,
  );
  const state = new Map<string, Row[]>();
  for (const { name } of tables) state.set(name, await rowsIn(shard, `select * from "${name}"`));
  return state;
}

/** In one batch, without the triggers, which would count and refuse. */
async function putBack(shard: number, state: Map<string, Row[]>): Promise<void> {
  const db = databaseOf(shard);
  const triggers = await rowsIn<{ name: string; sql: string }>(
    shard,
    "select name, sql from sqlite_master where type = 'trigger'",
  );
  const insertsOf = (tables: readonly [string, Row[]][]) =>
    tables.flatMap(([table, rows]) =>
      rows.map((row) => {
        const names = Object.keys(row);
        const marks = names.map(() => '?').join(', ');
        const columns = names.map((name) => `"${name}"`).join(', ');
        return db.prepare(`insert into "${table}" (${columns}) values (${marks})`).bind(...Object.values(row));
      }),
    );
  // Its triggers make its index, which Time Travel puts back as well.
  const isIndexed = ([table]: readonly [string, Row[]]) => table === 'search_entries';
  await db.batch([
    db.prepare('pragma defer_foreign_keys = on'),
    db.prepare('delete from search_entries'),
    ...triggers.map(({ name }) => db.prepare(`drop trigger "${name}"`)),
    ...[...state.keys()].map((table) => db.prepare(`delete from "${table}"`)),
    ...insertsOf([...state].filter((each) => !isIndexed(each))),
    ...triggers.map(({ sql }) => db.prepare(sql)),
    ...insertsOf([...state].filter(isIndexed)),
  ]);
}

export interface LossesOf {
  org_id: string;
  has_owner: boolean;
  order_requests_lost: { id: string }[];
  orders_lost: { id: string; number: string }[];
  orders_set_back: { id: string; was: string; is: string; fields: string[] }[];
  others_set_back: { table: string; id: string; fields: string[] | null }[];
}

/** The calls of `npm run restore`, in its order. */
export class Restoring {
  readonly id = newId();
  constructor(readonly at: number) {}

  /** What comes before the databases are restored. */
  async before(): Promise<void> {
    await operate(`/restores/${this.id}`, { at: new Date(this.at).toISOString() }, 'PUT');
    await this.pages('/export');
  }

  /** What comes after it. @returns the answers of the replay */
  async after(): Promise<Record<string, unknown>[]> {
    await this.pages('/marker');
    return this.replay();
  }

  async replay(): Promise<Record<string, unknown>[]> {
    const answers: Record<string, unknown>[] = [];
    let next: unknown = { step: 'holds' };
    while (next) {
      const answer: Record<string, unknown> = await operate(`/restores/${this.id}/replay`, next);
      answers.push(answer);
      next = answer.next;
    }
    return answers;
  }

  async files(): Promise<{ file: string; org_id: string; shop_id: string; order_request_id: string }[]> {
    return (await this.list('/files')) as never;
  }

  async losses(): Promise<LossesOf[]> {
    return (await this.list('/losses')) as never;
  }

  private async pages(path: string): Promise<void> {
    let cursor: unknown;
    do {
      const body = cursor ? { cursor } : {};
      const answer: { next_cursor: unknown } = await operate(`/restores/${this.id}${path}`, body);
      cursor = answer.next_cursor;
    } while (cursor);
  }

  private async list(path: string): Promise<unknown[]> {
    const data: unknown[] = [];
    let cursor: string | null = '';
    do {
      const query: string = cursor ? `?cursor=${encodeURIComponent(cursor)}` : '';
      const page: { data: unknown[]; next_cursor: string | null } = await operate(
        `/restores/${this.id}${path}${query}`,
        undefined,
        'GET',
      );
      data.push(...page.data);
      cursor = page.next_cursor;
    } while (cursor);
    return data;
  }
}
