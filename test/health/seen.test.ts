import { env } from 'cloudflare:workers';
import { BACKUPS, readBackupState } from '../../src/health/backups';
import { noteAnswer, noteDeadLetters, noteJob } from '../../src/health/notes';
import { lookAfterCron } from '../../src/health/watch';
import { writeHeld } from '../../src/platform/files';
import { newId } from '../../src/platform/ids';
import { DAY_MS } from '../../src/platform/time';
import { databaseDown } from '../support/outbound';
import { doctoredDb } from '../support/probe';
import { AFTER, WRONG } from '../support/roots';
import { insertRow } from '../support/rows';
import { beforeEach, expect, test } from '../support/test';
import { everywhere, openPharmacy, operate, rows, rowsIn, subscribe } from '../support/world';
import { forgetAll, Watched } from './watching';

const MINUTE = 60_000;

/** A fault, and how it ends. */
interface Fault {
  check: string;
  status: 'warning' | 'failing';
  code?: string;
  begin: (watched: Watched) => Promise<unknown> | unknown;
  end: (watched: Watched) => Promise<unknown> | unknown;
}

const heal = (watched: Watched) => {
  watched.changed = {};
};
const changing = (changed: Partial<Env>) => (watched: Watched) => {
  watched.changed = changed;
};

/** A subscription with one delivery of an order's event, made now. */
async function oneDelivery(watched: Watched, columns: Record<string, unknown> = {}) {
  const { orgId } = await openPharmacy();
  const { subscriptionId } = await subscribe(orgId, `https://${newId()}.example.com/`);
  const [eventId, id] = [newId(), newId()];
  const seq = (await rows('select 1 from events')).length + 1;
  await insertRow('events', { id: eventId, org_id: orgId, seq, created_at: watched.now });
  const due = { status: 'pending', attempt_count: 1, next_attempt_at: watched.now, created_at: watched.now };
  const of = { id, org_id: orgId, event_id: eventId, subscription_id: subscriptionId };
  await insertRow('deliveries', { ...of, ...due, ...columns });
  return { orgId, subscriptionId };
}

async function givenUp(watched: Watched): Promise<void> {
  const { subscriptionId } = await oneDelivery(watched, { status: 'exhausted', attempt_count: 3 });
  await rows('update subscriptions set exhausted_in_row = 1, is_healthy = 0 where id = ?', subscriptionId);
}

/** Every receiver accepts again. */
async function allDelivered(): Promise<void> {
  await everywhere("update deliveries set status = 'succeeded' where status in ('pending', 'exhausted')");
  await everywhere(
    `update subscriptions set exhausted_in_row = 0, is_healthy = 1, status = 'active', hold_reason = null`,
  );
}

/** Retention came to its end in that night, on every database. */
function nightIsDone(watched: Watched, time = watched.now) {
  const day = new Date(time).toISOString().slice(0, 10);
  return everywhere(
    "insert or replace into sweep_cursors (name, position, has_more, done_night) values ('retention', '', 0, ?)",
    day,
  );
}

/** The table of docs/operating.md, made to happen. */
const FAULTS: Record<string, Fault> = {
  'a trusted list has expired': {
    check: 'trust_lists',
    status: 'warning',
    begin: ({ now }) => {
      const said = JSON.stringify({ sequence: 1, nextUpdate: now - 1, countries: ['DE'], wanted: [] });
      return env.FILES.put('trust-lists/DE', '{}', { customMetadata: { said } });
    },
    end: () => env.FILES.delete('trust-lists/DE'),
  },
  'nothing was backed up for a day': {
    check: 'backup',
    status: 'warning',
    begin: async (watched) => {
      const BACKUP_PUBLIC_KEY = `age1${'q'.repeat(58)}`;
      watched.changed = {
        BACKUP_URL: 'https://s3.example/b',
        BACKUP_PUBLIC_KEY,
        ...{ BACKUP_ACCESS_KEY: 'id:secret' },
      };
      const { record, etag } = await readBackupState(watched.context.ctx);
      const late = { ...record, done_at: watched.now, journal_at: watched.now - DAY_MS };
      await writeHeld(watched.context.ctx, BACKUPS, { record: late, etag });
    },
    end: heal,
  },
  'the cron stopped': {
    check: 'cron',
    status: 'failing',
    begin: (watched) => {
      watched.isStopped = true;
    },
    end: (watched) => {
      watched.isStopped = false;
    },
  },
  'a receiver hangs': {
    check: 'deliveries',
    status: 'warning',
    code: 'undelivered',
    // It is tried again later: its time-out of 10 s has ended twice.
    begin: (watched) => oneDelivery(watched, { next_attempt_at: watched.now + 15 * MINUTE }),
    end: allDelivered,
  },
  'a receiver is dead: deliveries were given up': {
    check: 'deliveries',
    status: 'warning',
    code: 'receivers_failing',
    begin: givenUp,
    end: allDelivered,
  },
  'a receiver is dead, and on hold': {
    check: 'deliveries',
    status: 'warning',
    code: 'receivers_on_hold',
    begin: async (watched) => {
      const { subscriptionId } = await oneDelivery(watched, { status: 'held' });
      await rows(
        "update subscriptions set status = 'holding', hold_reason = 'receiver_failing' where id = ?",
        subscriptionId,
      );
    },
    end: allDelivered,
  },
  'receivers of three organizations are given up': {
    check: 'deliveries',
    status: 'failing',
    code: 'given_up_widely',
    begin: async (watched) => {
      for (let organization = 0; organization < 3; organization += 1) await givenUp(watched);
    },
    end: allDelivered,
  },
  'deliveries are due, and neither queue nor sweep tries them': {
    check: 'deliveries',
    status: 'failing',
    code: 'not_tried',
    begin: (watched) => oneDelivery(watched, { created_at: watched.now - 5 * MINUTE, next_attempt_at: 0 }),
    end: allDelivered,
  },
  'ROOT_SECRETS holds another root under the same id': {
    check: 'canaries',
    status: 'failing',
    begin: changing(WRONG),
    end: heal,
  },
  'ROOT_SECRETS lost the root that everything is under': {
    check: 'canaries',
    status: 'failing',
    begin: changing(AFTER),
    end: heal,
  },
  'a database is locked': {
    check: 'databases',
    status: 'failing',
    code: 'unreachable',
    begin: changing({ DB_1: doctoredDb(() => Promise.reject(new Error('D1_ERROR: database is locked: SQLITE_BUSY'))) }),
    end: heal,
  },
  'the database with the directory is dead': {
    check: 'databases',
    status: 'failing',
    code: 'unreachable',
    begin: changing({ DB: databaseDown() }),
    end: heal,
  },
  'a table is missing that the code needs': {
    check: 'schema',
    status: 'failing',
    begin: () => rowsIn(1, 'alter table idempotency_keys rename to away'),
    end: () => rowsIn(1, 'alter table away rename to idempotency_keys'),
  },
  'DB_1 was exchanged by an empty database': {
    check: 'directory',
    status: 'failing',
    code: 'database_exchanged',
    begin: async (watched) => {
      await openPharmacy(1);
      await watched.minutes(1);
      await rowsIn(1, 'create table away as select * from installation');
      await rowsIn(1, 'delete from installation');
    },
    end: async () => {
      await rowsIn(1, 'insert into installation select * from away');
      await rowsIn(1, 'drop table away');
    },
  },
  'an organization is not where the directory leads': {
    check: 'directory',
    status: 'failing',
    code: 'organizations_missing',
    begin: () =>
      rows(
        "insert into directory (kind, key, org_id, shard, created_at) values ('organization', 'lost', 'lost', 1, 0)",
      ),
    end: () => rows("delete from directory where key = 'lost'"),
  },
  'a queue gave messages up': {
    check: 'dead_letters',
    status: 'warning',
    begin: (watched) => noteDeadLetters(watched.context.ctx, 3),
    end: (watched) => {
      watched.now += 60 * MINUTE;
    },
  },
  'requests fail': {
    check: 'errors',
    status: 'warning',
    begin: async (watched) => {
      const { ctx, settled } = watched.context;
      for (let request = 0; request < 95; request += 1) noteAnswer(ctx, 200);
      for (let request = 0; request < 5; request += 1) {
        noteAnswer({ ...ctx, now: () => watched.now + request * 10_000 }, 502);
        // Each writes the same object: two writes at once may end in either order.
        await settled();
      }
    },
    end: (watched) => {
      watched.now += 6 * MINUTE;
    },
  },
  'a job failed': {
    check: 'jobs',
    status: 'warning',
    begin: (watched) => noteJob(watched.context.ctx, { job: 'sweep-search', shard: 0 }, true),
    end: (watched) => {
      watched.now += 15 * MINUTE;
    },
  },
  'a job fails for ten minutes': {
    check: 'jobs',
    status: 'failing',
    begin: async (watched) => {
      const { ctx } = watched.context;
      const early = () => watched.now - 10 * MINUTE;
      await noteJob({ ...ctx, now: early }, { job: 'sweep-search', shard: 0 }, true);
      await noteJob(ctx, { job: 'sweep-search', shard: 0 }, true);
    },
    end: (watched) => {
      watched.now += 15 * MINUTE;
    },
  },
  'deletions are paused for more than a day': {
    check: 'deletions',
    status: 'warning',
    code: 'paused',
    begin: async (watched) => {
      watched.changed = { DELETIONS: 'paused' };
      await watched.minutes(1);
      watched.now += 24 * 60 * MINUTE;
      await nightIsDone(watched);
    },
    end: heal,
  },
  'retention did not come to its end last night': {
    check: 'retention',
    status: 'warning',
    begin: async (watched) => {
      const day = new Date(watched.now - 2 * 24 * 60 * MINUTE).toISOString().slice(0, 10);
      await rows(
        "insert into sweep_cursors (name, position, has_more, done_night) values ('retention', '', 0, ?)",
        day,
      );
    },
    end: () => rows("delete from sweep_cursors where name = 'retention'"),
  },
  'the host of a shop leads elsewhere': {
    check: 'hosts',
    status: 'warning',
    begin: async (watched) => {
      const { host } = new URL((await openPharmacy()).url);
      await everywhere('update shop_hosts set moved_at = ?1 where host = ?2', watched.now, host.split(':')[0]);
    },
    end: () => everywhere('update shop_hosts set moved_at = null'),
  },
  'reservations do not add up to what the stock says': {
    check: 'reservations',
    status: 'failing',
    begin: async (watched) => {
      const { orgId } = await openPharmacy();
      const held = { org_id: orgId, p1_id: 'P1-HELD', order_request_id: newId() };
      await insertRow('reservations', { ...held, quantity: 2, until: watched.now + DAY_MS });
    },
    end: () => everywhere('delete from reservations'),
  },
  'a database is full to 60 %': {
    check: 'size',
    status: 'warning',
    begin: changing({
      DB_1: doctoredDb(
        async (_, send) =>
          (await send()).map((result) => ({ ...result, meta: { ...result.meta, size_after: 6_500_000_000 } })),
        env.DB_1,
      ),
    }),
    end: heal,
  },
};

beforeEach(async () => {
  await forgetAll();
  await everywhere('delete from sweep_cursors');
  await operate('/switches', { deletions: 'on', intake: 'on' }, 'PUT');
});

test.for(Object.entries(FAULTS))(
  '%s: seen within two minutes, told once when it begins and once when it ends',
  async ([_, { check, status, code, begin, end }]) => {
    // Noon: no job of the night is due.
    const watched = new Watched(Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`));
    await watched.minutes(2);
    expect(watched.told).toEqual([]);
    expect(await watched.checks()).toMatchObject({ status: 'ok', checks: { [check]: { status: 'ok' } } });

    await begin(watched);
    await watched.minutes(2);
    const seen = await watched.checks();
    expect(seen.status).toBe(status);
    expect(seen.checks).toMatchObject({ [check]: { status, ...(code && { code }) } });
    if (watched.isStopped) lookAfterCron(watched.context.ctx);
    // As any request does where the cron cannot: twice, and nothing more is told.
    for (let look = 0; look < 3; look += 1) {
      const { ctx, settled } = watched.context;
      lookAfterCron(ctx);
      await settled();
      await watched.minutes(1);
    }
    expect(watched.told).toMatchObject([{ type: 'alert_began', check, status }]);

    await end(watched);
    await watched.minutes(3);
    expect(watched.told.slice(1)).toMatchObject([{ type: 'alert_ended', check, status: 'ok' }]);
    expect(await watched.checks()).toMatchObject({ status: 'ok', checks: { [check]: { status: 'ok' } } });
  },
);

test('receivers of a test organization that fail raise no alarm', async () => {
  const watched = new Watched(Date.parse(`${new Date().toISOString().slice(0, 10)}T12:00:00Z`));
  const { orgId: live } = await openPharmacy();
  const columns = { status: 'exhausted', attempt_count: 3 };
  const { orgId, subscriptionId } = await oneDelivery(watched, columns);
  await rows('update subscriptions set exhausted_in_row = 1, is_healthy = 0 where id = ?', subscriptionId);
  expect((await watched.checks()).checks.deliveries).toMatchObject({ status: 'warning', code: 'receivers_failing' });
  await rows('update organizations set is_test = 1, counterpart_id = ? where id = ?', live, orgId);
  expect((await watched.checks()).checks.deliveries).toEqual({ status: 'ok', figure: 0 });
});
