import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { operatorApi } from '../api.ts';
import {
  type Attempt,
  attemptAt,
  type Content,
  contentOf,
  finish,
  isByLink,
  isOfInterface,
  isOfOperator,
  type Mode,
  SIGNING_IN,
} from './attempt.ts';
import { Checks } from './check.ts';
import { Document } from './document.ts';
import { Draws } from './draws.ts';
import { edit } from './edits.ts';
import { type Answer, Line, type Sent } from './request.ts';
import { type Route, routesOfWorker } from './routes.ts';
import { openWorld, type Service, stateOf, type World } from './world.ts';

/** Cases of one block run one after another, in organizations of their own. */
const BLOCK_SIZE = 1_000;
/** Blocks that run side by side. */
const LANES = 2;
const EDITS_MAX = 2;
/** Each costs as much as ten others, and is sent half as often: a password is hashed. */
const WITH_PASSWORD =
  /^POST .*\/(sign-in|password|invitation\/:token|reset\/:token|second-factor|second-factor\/disable)$/;
/** Routes of the organization API stand for more than others. */
const DOCUMENT_WEIGHT = 4;
/** It ends every sign-in; the drill of a restore does it. */
const BEGUN = 'a restore that was begun';
/** What only succeeds with something that a run does not have. */
const WITHOUT_SUCCESS: Record<string, string> = {
  'POST /base/manage/sign-in/code': "a code of somebody's authenticator",
  'POST /base/manage/sign-in/pharmacy': 'one password for two pharmacies',
  'POST /base/manage/account/second-factor/confirm': "a code of somebody's authenticator",
  'POST /base/manage/orders/:id/prescriptions/:prescription/fetch': 'a prescription that could not be fetched',
  'POST /base/manage/requests/:id/prescriptions/:prescription/fetch': 'a prescription that could not be fetched',
  'POST /base/manage/orders/:id/scan': 'the code of a pack that the order lacks',
  'POST /base/manage/orders/:id/ship': 'an order that is packed and ready to be sent',
  'POST /base/manage/orders/:id/other-product': 'an order that is being packed, and its differences acknowledged',
  'POST /base/manage/expected/here': 'an order of which a part is still to come',
  'POST /base/manage/expected/scan': 'the code of a pack that an order waits for',
  'GET /base/manage/desk/tour/:id': 'an order that is ready for the courier',
  'POST /base/manage/desk/tour/:id': 'an order that is ready for the courier',
  'POST /base/manage/desk/tour/:id/absent': 'an order that is ready for the courier',
  'GET /base/manage/inventory-import/:id': 'a file that was sent in',
  'GET /base/manage/inventory-import/:id/failed': 'a file that was sent in',
  'POST /base/manage/inventory-import/:id/run': 'a file that is being taken in',
  'POST /base/manage/settings/shops/:id/hosts/:host/check': 'an address whose DNS is still to be set',
  'POST /base/manage/welcome/sample': 'a pharmacy without a request',
  'GET /shop/messages/:token': 'the link in an e-mail',
  'POST /shop/messages/:token': 'the link in an e-mail',
  'POST /base/manage/settings/webhooks/:id/redeliver': 'deliveries that have failed for good',
  'PUT /base/api/operator/v1/restores/:id': BEGUN,
  'POST /base/api/operator/v1/restores/:id/export': BEGUN,
  'POST /base/api/operator/v1/restores/:id/marker': BEGUN,
  'POST /base/api/operator/v1/restores/:id/replay': BEGUN,
  'GET /base/api/operator/v1/restores/:id/files': BEGUN,
  'GET /base/api/operator/v1/restores/:id/losses': BEGUN,
  'GET /base/api/operator/v1/restores/:id/rows': BEGUN,
};
/** What a request names may be in no state for it. */
const PLAIN_TRIES = 5;
/** Requests to make one that fails smaller; and so many failures are made smaller. */
const SHRINK_TRIES_MAX = 60;
const FAILURES_SHRUNK_MAX = 20;

export interface Options {
  baseUrl: string;
  operatorToken: string;
  cases: number;
  seed: number;
  /** Runs the block of this case up to it, and reports it whether or not it fails. */
  only?: number | undefined;
  onFailure?: ((failure: Failure) => void) | undefined;
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
    const { baseUrl, operatorToken } = options;
    const operate = operatorApi(baseUrl, operatorToken);
    const service: Service = { line, baseUrl, operatorToken, operate, document, routes, webhookUrl };
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
  return new Document(answer.body);
}

interface Card {
  route: Route;
  mode: Mode;
}

interface Case extends Card {
  index: number;
  seed: number;
  isAsked: boolean;
}

/** A request, as fast-check draws it and makes it smaller. */
interface Drawn {
  base: fc.GeneratorValue;
  content: Content;
  edits: fc.GeneratorValue[];
}

interface Outcome {
  attempt: Attempt;
  edits: string[];
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
    const { cases, only, seed } = this.options;
    // One for each case, the same whatever comes before it.
    const seeds = fc.sample(fc.noBias(fc.integer()), { seed, numRuns: only === undefined ? cases : only + 1 });
    if (only !== undefined) return this.block(Math.floor(only / BLOCK_SIZE), seeds);
    const blocks = Array.from({ length: Math.ceil(cases / BLOCK_SIZE) }, (_, block) => block);
    const lane = async () => {
      for (let block = blocks.shift(); block !== undefined; block = blocks.shift()) await this.block(block, seeds);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
  }

  /** @param seeds of all cases up to the last, even if the block has more */
  private async block(block: number, seeds: readonly number[]): Promise<void> {
    const { seed, only } = this.options;
    // Organizations of several runs can be in one database.
    const world = await openWorld(this.service, `${Date.now()}${block}`, block % 2);
    const before = await stateOf(this.service, world.b);
    const checks = new Checks(this.service, world);
    const first = block * BLOCK_SIZE;
    const deck = deckOf(this.service, seeds[first] ?? 0);
    for (const [place, caseSeed] of seeds.slice(first, first + BLOCK_SIZE).entries()) {
      const card = deck[place];
      if (!card) throw new Error('the deck is too small');
      const index = first + place;
      await this.one(world, checks, { ...card, index, seed: caseSeed, isAsked: index === only });
    }
    const after = await stateOf(this.service, world.b);
    if (after !== before) this.report({ ...NOTHING, case: seeds.length - 1, seed, faults: changesOf(before, after) });
  }

  private async one(world: World, checks: Checks, { route, mode, index, seed, isAsked }: Case): Promise<void> {
    const drawn = fc.record({
      base: fc.gen(),
      content: contentOf(this.service, world, route, mode),
      edits: fc.array(fc.gen(), { maxLength: mode === 'fuzz' ? EDITS_MAX : 0 }),
    });
    let last: Outcome | undefined;
    // The smallest, since fast-check goes on from the last one that has failed.
    let failed: Outcome | undefined;
    let shrinkTries = 0;
    const property = fc.asyncProperty(drawn, async (values) => {
      if (failed) shrinkTries += 1;
      else if (last && isSuccess(last)) return true;
      if (shrinkTries > SHRINK_TRIES_MAX) return true;
      last = await this.try({ route, mode }, values, world, checks);
      if (last.faults.length > 0) failed = last;
      return last.faults.length === 0;
    });
    const endOnFailure = this.failures.length >= FAILURES_SHRUNK_MAX;
    await fc.check(property, { seed, endOnFailure, numRuns: mode === 'plain' ? PLAIN_TRIES : 1 });
    const outcome = failed ?? last;
    if (!outcome) throw new Error(`${route.name} was not sent`);
    this.note(route, outcome);
    if (!failed && !isAsked) return;
    const { attempt, edits, sent, answer, faults } = outcome;
    this.report({
      ...{ case: index, seed: this.options.seed, route: route.name, faults, edits },
      request: described(sent, senderOf(attempt), secretsOf(world, this.service)),
      answer: answer ? `${answer.status} ${answer.body.slice(0, 600)}` : '(none)',
    });
  }

  private report(failure: Failure): void {
    this.failures.push(failure);
    this.options.onFailure?.(failure);
  }

  private async try(
    { route, mode }: Card,
    { base, content, edits }: Drawn,
    world: World,
    checks: Checks,
  ): Promise<Outcome> {
    const attempt = await attemptAt(this.service, world, route, { draws: new Draws(base), content, mode });
    const done = edits.map((each) => edit(attempt, new Draws(each), world));
    const { sent, browser } = await finish(attempt, this.service, world);
    try {
      const answer = await (browser ? browser.send(sent) : this.service.line.send(sent));
      if (isSignedOut(answer) || SIGNING_IN.test(attempt.route.path)) attempt.visitor?.person?.leave();
      return { attempt, edits: done, sent, answer, faults: checks.faultsOf({ attempt, sent, answer }) };
    } catch (error) {
      await delay(100);
      const faults = [error instanceof Error ? `${error.name}: ${error.message}` : String(error)];
      return { attempt, edits: done, sent, answer: null, faults };
    }
  }

  private note(route: Route, { answer, edits }: Outcome): void {
    this.count += 1;
    const status = answer?.status ?? 0;
    const kind = status === 0 ? 'none' : `${Math.floor(status / 100)}xx`;
    this.statuses.set(kind, (this.statuses.get(kind) ?? 0) + 1);
    const of = this.perRoute.get(route.name);
    if (!of) return;
    of.cases += 1;
    if (edits.length === 0 && answer) of.last = `${status} ${saidBy(answer)}`;
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

/** The cases of a block: every route as it is meant, with another organization's ids, with large bodies, then changed. */
function deckOf({ routes, document }: Service, seed: number): Card[] {
  const deck: Card[] = [];
  const shuffled = (all: readonly Route[]) =>
    fc
      .sample(fc.shuffledSubarray([...all], { minLength: all.length }), { seed: seed + deck.length, numRuns: 1 })
      .flat();
  const add = (mode: Mode, all: readonly Route[]) => deck.push(...all.map((route) => ({ route, mode })));
  // Links first: each is good for once, and other forms make new ones.
  add(
    'plain',
    shuffled(routes).sort((a, b) => rankOf(a) - rankOf(b)),
  );
  const foreign = routes.filter((route) => !isOfOperator(route) && !isByLink(route) && /:|POST/.test(route.name));
  add('foreign', shuffled(foreign));
  const withBody = routes.filter(({ method, path }) => document.operation(method, path)?.requestBody);
  add('largest', shuffled([...withBody, ...withBody]));
  for (let round = 0; deck.length < BLOCK_SIZE; round += 1) {
    const each = routes.filter(({ name }) => round % 2 === 0 || !WITH_PASSWORD.test(name));
    const weighted = each.flatMap((route) =>
      Array<Route>(document.operation(route.method, route.path) ? DOCUMENT_WEIGHT : 1).fill(route),
    );
    add('fuzz', shuffled(weighted));
  }
  return deck;
}

/** Forms answer a success by leading somewhere else. */
function isSuccess({ answer }: Pick<Outcome, 'answer'>): boolean {
  return answer !== null && answer.status < 400;
}

/** A problem's code, or a page's heading and what it says of fields. */
function saidBy({ body }: Answer): string {
  const [, code] = /"code":"(\w+)"/.exec(body) ?? [];
  const said = [...body.matchAll(/<(?:h1|p class="(?:error|fault)[^"]*")[^>]*>([^<]*)/g)].map(([, words]) => words);
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
    [operatorToken, 'the operator token'],
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
