import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openDatabases } from '../../scripts/database';
import { type Answer, exchange } from '../../scripts/http';
import { COMMANDS, type Ready, type Sent } from './support/commands';
import { ownCatcher, ownService } from './support/own-service';

const { service } = await ownService();
const catcher = await ownCatcher();

/** A bound for a hang. */
const TEST_MS = 300_000;
const COMMIT_MS = 30_000;
const KILLS_MAX = 10;
const REPLAYED = 'idempotent-replayed';

/** What goes on by itself: webhooks leave, an answer is kept beside it, and the index follows. */
const WEBHOOKS = ['deliveries', 'delivery_attempts', 'delivery_totals', 'subscriptions'];
/** `inbox_changes` counts reports on signatures, too, which are written once a request was answered. */
const BESIDE = ['api_keys', 'idempotency_keys', 'inbox_changes', 'search_cursors', 'search_entries', ...WEBHOOKS];
/** What the check of a prescription's signature writes once a request was answered. */
const BY_CHECK = ['check_attempts', 'next_check_at', 'signature_report', 'signature_mark', 'updated_at'];

type Rows = Record<string, unknown[]>;

/** What is stored for an organization but that, by table. While the service is down, or not. */
function rowsOf(orgId: string): Rows {
  const [database] = openDatabases(service.dir, { isWritten: true });
  if (!database) throw new Error('no database');
  const tables = database
    .prepare(`select name from sqlite_master where type = 'table' and instr(sql, '\`org_id\`') > 0 order by name`)
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !BESIDE.includes(name));
  const read = (name: string) => database.prepare(`select * from ${name} where org_id = ?`).all(orgId);
  const found = Object.fromEntries(tables.map((name) => [name, read(name)]));
  for (const row of found.prescriptions ?? []) for (const column of BY_CHECK) delete row[column];
  database.close();
  return found;
}

function countsOf(rows: Rows) {
  return Object.entries(rows).map(([table, found]) => [table, found.length]);
}

const send = (sent: Sent) => exchange(service.port, sent);

/** Sends a command, and kills the service the moment its commit can be seen. @returns whether it had answered by then */
async function killAfterCommit({ sent, mark: [query, parameter] }: Ready): Promise<boolean> {
  const { method, host, path, headers, body } = sent;
  const [database] = openDatabases(service.dir);
  const isCommitted = database?.prepare(query);
  if (!isCommitted) throw new Error('no database');
  const family = service.family();
  const socket = connect(service.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect');
  const all = { ...headers, Host: host, 'Content-Length': String(Buffer.byteLength(body)) };
  const head = [`${method} ${path} HTTP/1.1`, ...Object.entries(all).map(([name, value]) => `${name}: ${value}`)];
  await new Promise((resolve) => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, resolve));
  // Without a pause, in which the answer could leave.
  for (const end = Date.now() + COMMIT_MS; !isCommitted.get(parameter); ) {
    if (Date.now() > end) throw new Error(`${method} ${path} was not committed`);
  }
  const killed = service.cutPower(family);
  database?.close();
  let answer = '';
  socket.on('data', (bytes) => {
    answer += bytes;
  });
  if (!socket.closed) await once(socket, 'close');
  await killed;
  return answer !== '';
}

function expectReplayed(answer: Answer): void {
  expect([answer.status < 300, answer.headers[REPLAYED]], answer.body).toEqual([true, 'true']);
}

async function expectRefused({ other, refusal: [status, code] }: Ready): Promise<void> {
  const answer = await send(other);
  expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code]);
}

/** Sends a command twice at once. @returns its first answer, and how many rows it leaves in each table */
async function sendTwice(ready: Ready) {
  const both = await Promise.all([send(ready.sent), send(ready.sent)]);
  const [first, ...others] = both.filter(({ headers }) => headers[REPLAYED] === undefined);
  expect(others).toEqual([]);
  if (!first) throw new Error('both were told that it was known');
  const again = await send(ready.sent);
  for (const answer of [...both.filter((each) => each !== first), again]) expectReplayed(answer);
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  await expectRefused(ready);
  return { first, counts: countsOf(rowsOf(ready.orgId)) };
}

type Twice = Awaited<ReturnType<typeof sendTwice>>;

/** Kills the service at a command, starts it again, and sends the command twice at once. @returns as `killAfterCommit` */
async function killAndRepeat(ready: Ready, { first, counts }: Twice): Promise<boolean> {
  const before = rowsOf(ready.orgId);
  let wasAnswered: boolean;
  try {
    wasAnswered = await killAfterCommit(ready);
  } finally {
    await service.start();
  }
  const after = rowsOf(ready.orgId);
  expect(after).not.toEqual(before);
  expect(countsOf(after)).toEqual(counts);
  const answers = await Promise.all([send(ready.sent), send(ready.sent)]);
  for (const answer of answers) {
    expectReplayed(answer);
    expect(answer.status).toBe(first.status);
    // Made of what stands: it need not say what only the command itself knew.
    const members = Object.keys(JSON.parse(first.body));
    for (const member of Object.keys(JSON.parse(answer.body))) expect(members).toContain(member);
  }
  expect(answers[1]?.body).toBe(answers[0]?.body);
  await expectRefused(ready);
  expect(rowsOf(ready.orgId)).toEqual(after);
  return wasAnswered;
}

test.each(COMMANDS)(
  '%s, killed between commit and answer, then sent twice at once and with another body, has one effect and one answer',
  async (_, open) => {
    const twice = await sendTwice(await open(service, catcher));
    for (let tries = 1; await killAndRepeat(await open(service, catcher), twice); tries += 1) {
      // On a busy machine the answer may be faster than the kill.
      if (tries === KILLS_MAX) throw new Error('each kill came after the answer');
    }
  },
  TEST_MS,
);
