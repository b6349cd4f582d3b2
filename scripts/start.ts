// The whole service on this machine: the Workers, D1, R2, queues and cron, a demo organization, and a receiver of webhooks.
//
//   npm start                   keeps what the last run left
//   npm start -- --fresh        begins anew
//   npm start -- --production-limits   with the request limits and the waits between attempts that production has
//   npm run dev                 shows the Workers' log, and starts again when scripts or migrations change
//   PORT=9000                   another port than 8787
//   DEMO_WEBHOOK_URL=http://…   the demo's webhooks are sent there instead of to the receiver (next port)
//   WEBHOOK_BRAND=Acme          webhooks have the headers X-Acme-… beside X-Service-…
//   ALERT_URL=http://…          alarms are posted there, signed with ALERT_SECRET of .dev.vars
//   INSPECTOR_PORT=9229         a debugger of V8 connects there
//   OFFIZIN_STATE_DIR=dir       directory of data, secrets and demo.json, for a second service
import { parseBrand } from '../src/platform/crypto/secret-values.ts';
import { card } from './card.ts';
import { keepCronRunning } from './cron.ts';
import { applyMigrations } from './database.ts';
import { type Demo, type DemoPlan, demoAt, makeDemo, readDemo, wipe, writeDemo } from './demo.ts';
import { StartError } from './errors.ts';
import { assertPortIsFree, waitFor, waitForOk, waitUntilFree } from './http.ts';
import { PATHS } from './paths.ts';
import { writeProductionLimits } from './production-limits.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { ensureSecrets, missingSecrets, operatorTokenOf } from './secrets.ts';
import { takeState } from './state-lock.ts';
import { canCheckSignatures, endChildren, startWorkers } from './wrangler.ts';

const PORT_DEFAULT = 8787;
const OPTIONS = ['--fresh', '--log', '--production-limits'];
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 5_000;
const ANEW = 'To begin anew: npm start -- --fresh';
const OWN_RECEIVER = /^http:\/\/127\.0\.0\.1:(\d+)\/$/;

const stopping = new AbortController();
let receiver: Receiver | undefined;
/**
 * The port of the started Worker. At the end, the script waits until the port is free, so that an immediate new start
 * succeeds.
 */
let startedOn: number | undefined;

// Under npm, Ctrl+C arrives twice: from the terminal and from npm.
process.on('SIGTERM', () => end(0));
process.on('SIGINT', () => end(0));
try {
  await run();
} catch (error) {
  if (!stopping.signal.aborted) {
    console.error(error instanceof StartError ? `\n${error.message}\n` : error);
    await end(1);
  }
}

/** Runs until a Worker or the cron fails. */
async function run(): Promise<void> {
  const { isFresh, showsLog, hasProductionLimits, port } = settings();
  assertBrand();
  const baseUrl = `http://localhost:${port}`;
  await takeState(port);
  await assertPortIsFree(port, 'Set PORT to another one, or end what listens there.');
  if (!isFresh) assertOfThisVersion();
  const secrets = ensureSecrets(PATHS.secrets);
  const operatorToken = operatorTokenOf(secrets);
  const known = isFresh ? null : knownDemo(baseUrl, operatorToken);
  if (!known) wipe();
  const webhookUrl = known?.subscription.url ?? (process.env.DEMO_WEBHOOK_URL || `http://127.0.0.1:${port + 1}/`);
  await openReceiver(webhookUrl, port);

  console.log(known ? 'Starting …' : 'Starting with a new demo organization …');
  applyMigrations(PATHS.dir);
  const plan = { baseUrl, operatorToken, webhookUrl };
  startedOn = port;
  const config = hasProductionLimits ? writeProductionLimits() : undefined;
  await Promise.race([startWorkers(port, baseUrl, { showsLog, config }), serve(known, plan)]);
}

async function serve(known: Demo | null, plan: DemoPlan): Promise<void> {
  await waitForOk(`${plan.baseUrl}/healthz`, START_TIMEOUT_MS);
  // Until the other Worker is found, checks that are sent to it are lost until the sweep.
  await waitFor(canCheckSignatures, START_TIMEOUT_MS, 'The Worker that checks signatures was not found');
  const demo = known ?? (await makeDemo(plan));
  writeDemo(demo);
  console.log(card(demo, receiver !== undefined));
  await keepCronRunning(plan.baseUrl, stopping.signal);
}

function settings(): { isFresh: boolean; showsLog: boolean; hasProductionLimits: boolean; port: number } {
  const given = process.argv.slice(2);
  const unknown = given.filter((argument) => !OPTIONS.includes(argument));
  if (unknown.length > 0) throw new StartError(`Unknown: ${unknown.join(' ')}. There are ${OPTIONS.join(', ')}.`);
  const port = Number(process.env.PORT || PORT_DEFAULT);
  if (!Number.isInteger(port) || port < 1 || port > 65_534) throw new StartError('PORT must be from 1 to 65534.');
  return {
    isFresh: given.includes('--fresh'),
    showsLog: given.includes('--log'),
    hasProductionLimits: given.includes('--production-limits'),
    port,
  };
}

/** Checks the brand before the start, because the Worker would answer every request with 500. @throws StartError */
function assertBrand(): void {
  try {
    parseBrand(process.env.WEBHOOK_BRAND);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

/** @throws StartError if the data are older than one of the secrets: none of their keys and links would be valid */
function assertOfThisVersion(): void {
  const missing = missingSecrets(PATHS.secrets);
  if (missing.length === 0 || !readDemo()) return;
  throw new StartError(
    `The local data is of an older version: ${PATHS.secrets} lacks ${missing.join(', ')}, so no key, session or link would be valid. ${ANEW}`,
  );
}

/**
 * Returns the demo of an earlier run, with its URLs at the current port. Null if there is none or it is incomplete.
 * @throws StartError if the demo does not match the current settings
 */
function knownDemo(baseUrl: string, operatorToken: string): Demo | null {
  const demo = readDemo();
  if (!demo) return null;
  const refuse = (what: string) => new StartError(`${what} ${ANEW}`);
  if (demo.operator_token !== operatorToken) {
    throw refuse(`The local data was made under other secrets than ${PATHS.secrets} holds now.`);
  }
  const asked = process.env.DEMO_WEBHOOK_URL;
  if (asked && asked !== demo.subscription.url) {
    throw refuse(`The demo's subscription points at ${demo.subscription.url}, not at DEMO_WEBHOOK_URL.`);
  }
  return demoAt(demo, baseUrl);
}

/** Starts the receiver that the demo's subscription points to, unless it points to a receiver of the developer's. */
async function openReceiver(webhookUrl: string, port: number): Promise<void> {
  const receiverPort = Number(OWN_RECEIVER.exec(webhookUrl)?.[1] ?? 0);
  if (process.env.DEMO_WEBHOOK_URL || receiverPort === 0) return;
  if (receiverPort === port) {
    throw new StartError(`The demo's subscription points at port ${port}: set PORT to another one.`);
  }
  await assertPortIsFree(
    receiverPort,
    `The demo's webhooks go to ${webhookUrl}; if your own receiver listens there, set DEMO_WEBHOOK_URL=${webhookUrl}`,
  );
  receiver = await startReceiver(receiverPort, () => readDemo()?.subscription.signing_secret ?? null);
}

async function end(code: number): Promise<void> {
  if (stopping.signal.aborted) return;
  stopping.abort();
  await endChildren();
  if (startedOn) await waitUntilFree(startedOn, STOP_TIMEOUT_MS);
  await receiver?.close();
  process.exit(code);
}
