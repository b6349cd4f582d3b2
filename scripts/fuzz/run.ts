import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Random } from '../random.ts';
import {
  type Attempt,
  attemptAt,
  finish,
  isByLink,
  isOfInterface,
  isOfOperator,
  type Mode,
  SIGNING_IN,
} from './attempt.ts';
import { Checks } from './check.ts';
import { Document } from './document.ts';
import { drawEdit, type Edit } from './edits.ts';
import { type Answer, Line, type Sent } from './request.ts';
import { type Route, routesOfWorker } from './routes.ts';
import { contentOf, openWorld, type Service, type World } from './world.ts';

/** Cases of one block run one after another, in organizations of their own. */
const BLOCK_SIZE = 1_000;
/** Blocks that run side by side. */
const LANES = 2;
const EDIT_COUNTS = [0, 0, 0, 1, 1, 1, 1, 2, 2, 3];
/** Each costs as much as ten others: a password is hashed. */
const WITH_PASSWORD =
  /^POST .*\/(sign-in|password|invitation\/:token|reset\/:token|second-factor|second-factor\/disable)$/;
const WITH_PASSWORD_SHARE = 0.5;
/** Routes of the organization API stand for more than others. */
const DOCUMENT_WEIGHT = 4;
/** What only succeeds with something that a run does not have. */
const WITHOUT_SUCCESS: Record<string, string> = {
  'POST /base/manage/sign-in/code': "a code of somebody's authenticator",
  'POST /base/manage/sign-in/pharmacy': 'one password for two pharmacies',
  'POST /base/manage/account/second-factor/confirm': "a code of somebody's authenticator",
  'POST /base/manage/orders/:id/prescriptions/:prescription/fetch': 'a prescription that could not be fetched',
  'POST /base/manage/requests/:id/prescriptions/:prescription/fetch': 'a prescription that could not be fetched',
  'POST /base/manage/settings/webhooks/:id/redeliver': 'deliveries that have failed for good',
};
const PLAIN_TRIES = 5;
const FAILURES_SHRUNK_MAX = 20;

export interface Options {
  baseUrl: string;
  operatorToken: string;
  cases: number;
  seed: number;
  /** Runs the block of this case up to it, and reports it whether or not it fails. */
  only?: number;
  onFailure?: (failure: Failure) => void;
}

export interface Failure {
  case: number;
  seed: number;
  route: string;
  faults: string[];
  edits: string[];
  /** Without secrets. */
  request: string;
  answer: string;
}

interface Coverage {
  cases: number;
  successes: number;
  /** How the last request that was sent as it is meant was answered. */
  last: string;
}

export interface Summary {
  seed: number;
  cases: number;
  seconds: number;
  routes: number;
  covered: number;
  /** Never answered with a success, or never sent. */
  uncovered: string[];
  /** By status class: `2xx`. */
  statuses: Record<string, number>;
  failures: Failure[];
  perRoute: Record<string, Coverage>;
}

export async function fuzz(options: Options): Promise<Summary> {
  const startedAt = Date.now();
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  // SAFETY: a server that listens on a port has such an address.
  const { port } = receiver.address() as AddressInfo;
  const line = new Line(Number(new URL(options.baseUrl).port));
  try {
    const [document, routes] = await Promise.all([readDocument(line), routesOfWorker()]);
    const webhookUrl = `http://127.0.0.1:${port}/`;
    const service: Service = { line, operatorToken: options.operatorToken, document, routes, webhookUrl };
    const run = new Run(service, options);
    await run.all();
    return run.summary(Date.now() - startedAt);
  } finally {
    line.close();
    receiver.close();
    receiver.closeAllConnections();
  }
}

async function readDocument(line: Line): Promise<Document> {
  const path = '/api/v2/public/openapi.json';
  const answer = await line.send({ method: 'GET', host: 'localhost', path, headers: {}, body: Buffer.alloc(0) });
  return new Document(answer.text);
}

interface Case {
  route: Route;
  index: number;
  mode: Mode;
  isAsked: boolean;
}

type Start = () => Promise<Attempt>;

interface Outcome {
  attempt: Attempt;
  sent: Sent;
  answer: Answer | null;
  faults: string[];
}

/** Of a failure that no single request stands for. */
const NOTHING = { route: '(the whole block)', edits: [], request: '', answer: '' };

function changesOf(before: string, after: string): string[] {
  const known = new Map(before.split('\n').map((line) => [nameOf(line), line.split(/[ ,]/)]));
  const changed = after.split('\n').filter((line) => !before.split('\n').includes(line));
  return changed.map((line) => {
    const words = line.split(/[ ,]/).filter((word) => !known.get(nameOf(line))?.includes(word));
    return `an organization that did nothing has changed: ${nameOf(line)} has ${words.join(' ').slice(0, 400) || 'less'}`;
  });
}

/** The first word: what was asked for. */
function nameOf(line: string): string {
  return line.split(' ')[0] ?? '';
}

class Run {
  private readonly service: Service;
  private readonly options: Options;
  private readonly failures: Failure[] = [];
  private readonly statuses = new Map<string, number>();
  private readonly perRoute = new Map<string, Coverage>();
  private count = 0;

  constructor(service: Service, options: Options) {
    this.service = service;
    this.options = options;
    for (const route of service.routes) this.perRoute.set(route.name, { cases: 0, successes: 0, last: '' });
  }

  async all(): Promise<void> {
    const { cases, only } = this.options;
    if (only !== undefined) return this.block(Math.floor(only / BLOCK_SIZE), only + 1);
    const blocks = Array.from({ length: Math.ceil(cases / BLOCK_SIZE) }, (_, block) => block);
    const lane = async () => {
      for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) await this.block(block, cases);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  /** @param end of the cases, even if the block has more */
  private async block(block: number, end: number): Promise<void> {
    const { seed, only } = this.options;
    // Organizations of several runs can be in one database.
    const world = await openWorld(this.service, `${Date.now()}${block}`, 1 - (block % 2));
    const before = await contentOf(this.service, world.b);
    const checks = new Checks(this.service, world);
    const deck = deckOf(this.service, new Random(seed, block));
    const first = block * BLOCK_SIZE;
    for (let index = first; index < Math.min(first + BLOCK_SIZE, end); index += 1) {
      const drawn = deck[index - first];
      if (!drawn) throw new Error('the deck is too small');
      await this.one(world, checks, { ...drawn, index, isAsked: index === only });
    }
    const after = await contentOf(this.service, world.b);
    if (after !== before) this.report({ ...NOTHING, case: end - 1, seed, faults: changesOf(before, after) });
  }

  private async one(world: World, checks: Checks, { route, mode, index, isAsked }: Case): Promise<void> {
    const { seed } = this.options;
    const random = new Random(seed, index, -1);
    const startOf = (tries: number) => () =>
      attemptAt(this.service, world, route, new Random(seed, index, tries), mode);
    let start = startOf(0);
    const base = await start();
    const edits = Array.from({ length: mode === 'fuzz' ? random.pick(EDIT_COUNTS) : 0 }, () =>
      drawEdit(base, world, random),
    );
    let outcome = await this.try(start, edits, world, checks);
    // What a request names may be in no state for it.
    for (
      let tries = 1;
      mode === 'plain' && tries < PLAIN_TRIES && outcome.faults.length === 0 && !isSuccess(outcome);
      tries += 1
    ) {
      start = startOf(tries);
      outcome = await this.try(start, edits, world, checks);
    }
    this.note(route, outcome, edits.length === 0);
    if (outcome.faults.length === 0 && !isAsked) return;
    const shrunk =
      this.failures.length < FAILURES_SHRUNK_MAX
        ? await this.shrink(start, edits, outcome, world, checks)
        : { edits, outcome };
    this.report({
      case: index,
      seed,
      route: route.name,
      faults: shrunk.outcome.faults,
      edits: shrunk.edits.map(({ label }) => label),
      request: described(shrunk.outcome.sent, senderOf(shrunk.outcome.attempt), secretsOf(world, this.service)),
      answer: shrunk.outcome.answer
        ? `${shrunk.outcome.answer.status} ${shrunk.outcome.answer.text.slice(0, 600)}`
        : '(none)',
    });
  }

  private report(failure: Failure): void {
    this.failures.push(failure);
    this.options.onFailure?.(failure);
  }

  /** Leaves out every edit without which the request fails all the same. */
  private async shrink(start: Start, edits: Edit[], outcome: Outcome, world: World, checks: Checks) {
    let best = { edits, outcome };
    for (const edit of edits) {
      const fewer = best.edits.filter((each) => each !== edit);
      const again = await this.try(start, fewer, world, checks);
      if (again.faults.length > 0) best = { edits: fewer, outcome: again };
    }
    return best;
  }

  private async try(start: Start, edits: readonly Edit[], world: World, checks: Checks): Promise<Outcome> {
    const attempt = await start();
    for (const edit of edits) edit.apply(attempt);
    const { sent, browser } = await finish(attempt, this.service, world);
    try {
      const answer = await (browser ? browser.send(sent) : this.service.line.send(sent));
      if (isSignedOut(answer) || SIGNING_IN.test(attempt.route.path)) attempt.visitor?.person?.leave();
      return { attempt, sent, answer, faults: checks.faultsOf({ attempt, sent, answer }) };
    } catch (error) {
      await delay(100);
      return {
        attempt,
        sent,
        answer: null,
        faults: [error instanceof Error ? `${error.name}: ${error.message}` : String(error)],
      };
    }
  }

  private note(route: Route, { answer }: Outcome, isUnchanged: boolean): void {
    this.count += 1;
    const status = answer?.status ?? 0;
    const kind = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
    this.statuses.set(kind, (this.statuses.get(kind) ?? 0) + 1);
    const of = this.perRoute.get(route.name);
    if (!of) return;
    of.cases += 1;
    if (isUnchanged && answer) of.last = `${status} ${saidBy(answer)}`;
    if (isSuccess({ answer })) of.successes += 1;
  }

  summary(ms: number): Summary {
    const uncovered = [...this.perRoute]
      .filter(([name, { cases, successes }]) => (name in WITHOUT_SUCCESS ? cases : successes) === 0)
      .map(([name]) => name);
    return {
      seed: this.options.seed,
      cases: this.count,
      seconds: Math.round(ms / 1000),
      routes: this.perRoute.size,
      covered: this.perRoute.size - uncovered.length,
      uncovered,
      statuses: Object.fromEntries([...this.statuses].sort()),
      failures: this.failures,
      perRoute: Object.fromEntries(this.perRoute),
    };
  }
}

function rankOf(route: Route): number {
  if (!isByLink(route)) return 2;
  return route.method === 'GET' ? 0 : 1;
}

interface Drawn {
  route: Route;
  mode: Mode;
}

/** The cases of a block: every route as it is meant, with another organization's ids, with large bodies, then changed. */
function deckOf({ routes, document }: Service, random: Random): Drawn[] {
  const of = (mode: Mode, all: readonly Route[]) => random.shuffled(all).map((route): Drawn => ({ route, mode }));
  const foreign = routes.filter((route) => !isOfOperator(route) && !isByLink(route) && /:|POST/.test(route.name));
  // Links first: each is good for once, and other forms make new ones.
  const plain = of('plain', routes).sort((a, b) => rankOf(a.route) - rankOf(b.route));
  const withBody = routes.filter(({ method, path }) => document.operation(method, path)?.requestBody);
  const deck = [...plain, ...of('foreign', foreign), ...of('largest', [...withBody, ...withBody])];
  while (deck.length < BLOCK_SIZE) {
    const round = routes.flatMap((route) => {
      if (WITH_PASSWORD.test(route.name)) return random.chance(WITH_PASSWORD_SHARE) ? [route] : [];
      return Array<Route>(document.operation(route.method, route.path) ? DOCUMENT_WEIGHT : 1).fill(route);
    });
    deck.push(...of('fuzz', round));
  }
  return deck;
}

/** Forms answer a success by leading somewhere else. */
function isSuccess({ answer }: Pick<Outcome, 'answer'>): boolean {
  return answer !== null && answer.status < 400;
}

/** A problem's code, or a page's heading and what it says of fields. */
function saidBy({ text }: Answer): string {
  const [, code] = /"code":"(\w+)"/.exec(text) ?? [];
  const said = [...text.matchAll(/<(?:h1|p class="(?:error|fault)[^"]*")[^>]*>([^<]*)/g)].map(([, words]) => words);
  return (code ?? said.join(': ')).slice(0, 200);
}

function isSignedOut({ status, headers }: Answer): boolean {
  return (status === 303 && String(headers.location).startsWith('/manage/sign-in')) || status === 401;
}

function senderOf(attempt: Attempt): string {
  return isOfInterface(attempt.route)
    ? `${attempt.visitor?.label}, form token ${attempt.formToken}`
    : attempt.caller.label;
}

function secretsOf({ a, b, c }: World, { operatorToken }: Service): Map<string, string> {
  const callers = [a, b, c].flatMap(({ token, narrow, key, integration }) => [token, narrow, key, integration]);
  return new Map([
    [operatorToken, 'OPERATOR_TOKEN'],
    ...callers.map(({ secret, label }): [string, string] => [secret, label]),
  ]);
}

/** The request as text, with what its secrets are instead of the secrets. */
function described({ method, host, path, headers, body }: Sent, sender: string, secrets: Map<string, string>): string {
  const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const bytes = body.toString();
  const text = bytes.length > 1_500 ? `${bytes.slice(0, 1_000)}… (${body.length} bytes)` : bytes;
  const all = [`${method} ${host} ${path}`, `by ${sender}`, ...shown, '', text].join('\n');
  return [...secrets]
    .reduce((rest, [secret, label]) => rest.replaceAll(secret, `<${label}>`), all)
    .replace(/form_token=[\w.]+/, 'form_token=<token>');
}
