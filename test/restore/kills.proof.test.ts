import { env as bound } from 'cloudflare:workers';
import { Decrypter } from 'age-encryption';
import { backUp } from '../../src/restore/organization/backup';
import { filesOf } from '../../src/restore/organization/tar';
import { writeExports } from '../../src/restore/organization/write';
import { enter } from '../management/browser';
import { allKeys } from '../support/files';
import { addedSince, DATABASES, everything, pass, statesOf } from '../support/moving';
import { ask } from '../support/operator';
import { openPrescribed } from '../support/order-flow';
import {
  fetchParts,
  fileOf,
  importFrom,
  newKey,
  type OpenFile,
  openedFile,
  takeOut,
} from '../support/organization-file';
import { outsideAnswers } from '../support/outbound';
import { rounds } from '../support/rounds';
import { openSeller, placeOrder } from '../support/seller';
import { beforeEach, expect, test, vi } from '../support/test';
import { openPharmacy, rows, systemContext } from '../support/world';

/**
 * Each so-manieth call of D1, R2 and the bucket of backups is the last one of a process, from a random one on. A round reads what
 * those before it left, so that the time grows with the square of their number.
 */
const EACH = rounds(31, 31, 11);
const TIMEOUT_MS = 1_200_000;
const MINUTE = 60;
const MANIFEST = 'manifest.json.age';

/** How many calls are made until a process dies; below 0 if one has died. */
interface Life {
  left: number;
}

/** The bindings of a new process. Its last call is carried out, its answer is lost, and no later call gets out. */
function processOf(life: Life, env: Partial<Env> = {}) {
  let isDead = false;
  const counted = async <T>(act: () => Promise<T>): Promise<T> => {
    if (isDead) throw new Error('the process is dead');
    const answer = await act();
    life.left -= 1;
    isDead ||= life.left === 0;
    if (isDead) throw new Error('the process died');
    return answer;
  };
  const database = (db: D1Database) => ({
    prepare: (query: string) => db.prepare(query),
    batch: (statements: D1PreparedStatement[]) => counted(() => db.batch(statements)),
  });
  const files = Object.fromEntries(
    (['get', 'head', 'put', 'list', 'delete'] as const).map((method) => [
      method,
      (...given: unknown[]) =>
        counted(() => (bound.FILES[method] as (...all: unknown[]) => Promise<unknown>)(...given)),
    ]),
  );
  const [DB, DB_1] = DATABASES.map(database);
  // SAFETY: the tested code calls nothing else of them.
  return { env: { ...env, DB, DB_1, FILES: files } as unknown as Partial<Env>, counted, isDead: () => isDead };
}

type Process = ReturnType<typeof processOf>;

/** Lets processes work one after the other, each for a minute, until the work is done. */
async function untilDone(life: Life, work: (process: Process) => Promise<boolean>): Promise<void> {
  for (let processes = 0, isDone = false; !isDone; processes += 1) {
    expect(processes).toBeLessThan(40);
    const process = processOf(life);
    isDone = await work(process).catch((error) => {
      if (!process.isDead()) throw error;
      return false;
    });
    isDone &&= !process.isDead();
    pass(MINUTE);
  }
}

/** Calls `attempt` with a process that dies at its first call, its second one and so on, until one lives to the end. */
async function atEachCall(attempt: (life: Life) => Promise<void>): Promise<void> {
  for (let calls = 1 + Math.floor(Math.random() * EACH); ; calls += EACH) {
    const life = { left: calls };
    await attempt(life).catch((error) => {
      throw new Error(`killed at call ${calls}: ${error.message}`, { cause: error });
    });
    if (life.left <= 0) continue;
    console.log(`${calls} calls, each ${EACH}`);
    expect(calls).toBeGreaterThan(40);
    return;
  }
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await bound.FILES.put('installation', 'test');
  pass(MINUTE);
});

/** A small organization with an order, a PDF, an owner and a host. */
async function openSmall(): Promise<string> {
  const seller = await openSeller();
  await openPrescribed(seller);
  await placeOrder(seller);
  await enter(seller.orgId, 'owner');
  return seller.orgId;
}

/** Rows that are the same before and after: not of sessions, nor what says that a file was written and fetched. */
const stays = (row: string) =>
  !/^staff_(sessions|resets|page_data)|organization\.(export_begun|imported|rows_read)|"kind":"export"/.test(row);
/** What an import changes on purpose: numbers that are not given twice, and orders that are listed as changed. */
const settled = (row: string) => row.replace(/"(order_number_floor|version|change_number|updated_at)":\d+/g, '');
const isMarker = (row: string) => /^events ."seq":\d{7,},/.test(row);
const kept = (found: readonly string[]) => found.filter((row) => stays(row) && !isMarker(row)).map(settled);

/** The rows of a file as texts, in order. */
function rowsIn({ manifest, parts }: OpenFile): string[] {
  const names = (JSON.parse(manifest).parts as { name: string }[]).map(({ name }) => name);
  const texts = names.flatMap((name, index) => {
    const table = /^\d+-(\w+)-\d+\.ndjson/.exec(name)?.[1];
    const lines = table ? new TextDecoder().decode(parts[index]).trim().split('\n') : [];
    return lines.map((line) => {
      const { state: _, fenced_by: _fence, ...organization } = JSON.parse(line);
      return `${table} ${table === 'organizations' ? JSON.stringify(organization) : line}`;
    });
  });
  return texts.toSorted();
}

/** Begins a file, and lets it be written. @returns its id and identity */
async function exported(life: Life, orgId: string, rest: object = {}): Promise<OpenFile> {
  const { identity, public_key } = await newKey();
  let id = '';
  await untilDone(life, async ({ env }) => {
    const begun = await ask(`/organizations/${orgId}/exports`, { public_key, ...rest }, { env });
    if (begun.status === 202) ({ export_id: id } = await begun.json<{ export_id: string }>());
    return begun.status === 202;
  });
  if ('move_to' in rest) pass(121);
  const status = async () =>
    (
      await (
        await ask(`/organizations/${orgId}/exports/${id}`, undefined, { method: 'GET' })
      ).json<{ status: string }>()
    ).status;
  await untilDone(life, async ({ env }) => {
    await writeExports(systemContext({ env }).ctx);
    return (await status()) !== 'running';
  });
  expect(await status()).toBe('ready');
  return openedFile((await fetchParts(orgId, id, identity)).parts);
}

/** A small organization, and the rows that its file has to hold. */
async function openListed() {
  const before = await everything(0);
  const orgId = await openSmall();
  return { orgId, was: (await addedSince(before, 0)).filter(stays) };
}

// First: a backup is one of all organizations that there are.
test(
  'killed at any call, a backup ends whole, with the journal',
  async () => {
    const { orgId, was } = await openListed();
    const { identity, public_key } = await newKey();
    const BACKUP_URL = 'https://s3.eu.backups.example/bucket';
    const of = { BACKUP_URL, BACKUP_PUBLIC_KEY: public_key, BACKUP_ACCESS_KEY: 'id:secret' } as Partial<Env>;
    const bucket = new Map<string, Uint8Array>();
    const entry = 'journal/2026-11-29/019ad000-0000-7000-8000-000000000001';
    await bound.FILES.put(entry, '{"v":1}');
    let process: Process | undefined;
    outsideAnswers(({ url, bytes }) =>
      (process as Process).counted(async () => {
        bucket.set(url.slice(BACKUP_URL.length + 1), bytes);
        return new Response();
      }),
    );
    await atEachCall(async (life) => {
      bucket.clear();
      await bound.FILES.delete([...(await allKeys('backups/')), ...(await allKeys('exports/'))]);
      const isWhole = () => [...bucket.keys()].some((key) => key.endsWith(MANIFEST));
      await untilDone(life, async (next) => {
        process = next;
        const { ctx } = systemContext({ env: { ...of, ...next.env } });
        await backUp(ctx);
        await writeExports(ctx);
        return isWhole() && (await allKeys('exports/')).length === 0;
      });
      const names = [...bucket.keys()].filter((key) => key.startsWith(`organizations/${orgId}/`)).toSorted();
      const [folder = ''] = names.filter((key) => key.endsWith(MANIFEST)).map((key) => key.replace(MANIFEST, ''));
      const decrypter = new Decrypter();
      decrypter.addIdentity(identity);
      const parts = new Map<string, Uint8Array>();
      for (const name of [
        folder + MANIFEST,
        ...names.filter((key) => key.startsWith(folder) && !key.endsWith(MANIFEST)),
      ]) {
        parts.set(name.slice(folder.length), await decrypter.decrypt(bucket.get(name) as Uint8Array));
      }
      const file = openedFile(parts);
      expect(JSON.parse(file.manifest).parts.length).toBe(file.parts.length);
      expect(rowsIn(file).filter(stays)).toEqual(was);
      expect(bucket.has(entry)).toBe(true);
    });
  },
  TIMEOUT_MS,
);

test(
  'killed at any call, a file is written whole',
  async () => {
    const { orgId, was } = await openListed();
    await atEachCall(async (life) => {
      const file = await exported(life, orgId);
      expect(rowsIn(file).filter(stays)).toEqual(was);
      expect(filesOf((file.parts.at(-1) as Uint8Array).slice()).size).toBeGreaterThan(0);
    });
  },
  TIMEOUT_MS,
);

test.each(['new', 'replace'])(
  'killed at any call, an import (%s) goes on and ends well',
  async (mode) => {
    const before = await everything(0);
    const orgId = await openSmall();
    const other = await openSeller();
    await placeOrder(other);
    const file = await fileOf(orgId);
    const was = kept(await addedSince(before, 0)).toSorted();
    await atEachCall(async (life) => {
      await bound.FILES.delete(`exports/imports/${orgId}`);
      if (mode === 'new') await takeOut(orgId);
      else await rows("update orders set note = 'spoiled' where org_id = ?", orgId);
      const asked = mode === 'new' ? { shard: 0 } : { replace: true };
      await untilDone(life, async ({ env }) => (await importFrom(orgId, file, asked, env)).mode === mode);
      expect(kept(await addedSince(before, 0)).toSorted()).toEqual(was);
      expect(await statesOf(orgId)).toEqual(['active', null]);
      expect(await rows('select suspended_at from organizations where id = ?', orgId)).toEqual([
        { suspended_at: null },
      ]);
    });
    expect(await rows('select count(*) - count(distinct seq) as twice from events where org_id = ?', orgId)).toEqual([
      { twice: 0 },
    ]);
  },
  TIMEOUT_MS,
);

test(
  'killed at any call, a move ends with the organization on one of the databases, whole',
  async () => {
    const before = [await everything(0), await everything(1)] as const;
    const orgId = await openSmall();
    const was = kept(await addedSince(before[0], 0));
    let to = 1;
    await atEachCall(async (life) => {
      const file = await exported(life, orgId, { move_to: to });
      await untilDone(life, async ({ env }) => {
        const done = await importFrom(orgId, file, {}, env);
        return done.state === 'done';
      });
      const states = await statesOf(orgId);
      expect(states[to]).toBe('active');
      expect(states[1 - to]).not.toBe('active');
      expect(kept(await addedSince(before[to as 0 | 1], to))).toEqual(was);
      to = 1 - to;
    });
  },
  TIMEOUT_MS,
);

test.each(['sent again', 'left'])(
  'killed at any call, what closes an organization for its move closes it when it is %s, or not for longer than an hour',
  async (then) => {
    let isOver = false;
    for (let calls = 1; !isOver; calls += 1) {
      const { orgId } = await openPharmacy();
      const life = { left: calls };
      const { public_key } = await newKey();
      const close = (env: Partial<Env> = {}) =>
        ask(`/organizations/${orgId}/exports`, { public_key, move_to: 1 }, { env });
      await close(processOf(life).env);
      isOver = life.left > 0;
      const [closed] = await statesOf(orgId);
      if (then === 'sent again') {
        expect([calls, (await close()).status, await statesOf(orgId)]).toEqual([calls, 202, ['moving', null]]);
      }
      // Its file is written, and nobody imports it.
      for (let hours = 0; hours < 2; hours += 1) {
        for (let minutes = 0; minutes < 3; minutes += 1) {
          pass(121);
          await writeExports(systemContext().ctx);
        }
        pass(3600);
      }
      await writeExports(systemContext().ctx);
      expect([calls, closed, await statesOf(orgId)]).toEqual([calls, closed, ['active', null]]);
      await bound.FILES.delete(await allKeys('exports/'));
    }
  },
  TIMEOUT_MS,
);
