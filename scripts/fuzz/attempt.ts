import fc from 'fast-check';
import { onePagePdf } from '../pdf.ts';
import type { Operation, Parameter } from './document.ts';
import type { Draws } from './draws.ts';
import { formsOn } from './pages.ts';
import { Browser, PASSWORD, type Person } from './person.ts';
import { BOUNDARY, type Body, type Draft, FILE_FIELDS, type Pair, type Sent, sentOf } from './request.ts';
import { kindOf, type Route } from './routes.ts';
import { type Known, Maker, type Manner } from './schema.ts';
import { jsonOf, MARKUP } from './strange.ts';
import type { Caller, FoundForm, Org, Service, World } from './world.ts';

/** Who uses the interface; without a person a visitor who has not signed in. */
export interface Visitor {
  label: string;
  org: Org | null;
  person: Person | null;
}

/** One request to be, with who sends it. */
export interface Attempt {
  route: Route;
  /** Of the document, for routes that are in it. */
  operation: Operation | undefined;
  draft: Draft;
  caller: Caller;
  /** For pages and forms of the interface, instead of the caller. */
  visitor: Visitor | null;
  formToken: 'own' | 'missing' | 'wrong' | 'foreign';
}

/**
 * `plain`: as it is meant. `foreign`: the same, with the ids of an organization that is not the caller's. `largest`: with
 * everything that the schema of its body allows. `fuzz`: by anybody, to be changed by edits.
 */
export type Mode = 'plain' | 'foreign' | 'largest' | 'fuzz';

const INTERFACE = '/manage';
/** Forms by which somebody signs in. */
export const SIGNING_IN = /^\/manage\/(sign-in|invitation|reset)\b/;
const OPTIONAL_SHARE = 0.35;
/** Parameters of a query that need not be there. */
const OPTIONAL_MAX = 2;
/** Characters of a query's value. */
const QUERY_MAX = 3_000;
/** Pages and files of the API reference. */
const REFERENCE_PAGES = [
  ...['webhooks/order_created', 'schemas/order_created.json', 'schemas/event.json', 'guides/bulk', 'guides/bulk.md'],
  ...['webhooks', 'search', 'search', 'errors', 'objects', 'signatures', 'changelog', 'receiver.js', 'first-order.md'],
];
const REFERENCE = '/docs/';
const JSON_TYPE = { 'Content-Type': 'application/json' };

export function isOfInterface({ space, path }: Route): boolean {
  return space === 'base' && (path === INTERFACE || path.startsWith(`${INTERFACE}/`));
}

export function isOfOperator({ path }: Route): boolean {
  return path.startsWith('/api/operator/') || path === '/readyz';
}

/** Whoever has the link may follow it: its token is all that it takes. */
export function isByLink({ path }: Route): boolean {
  return path.endsWith('/:token');
}

/** What the schemas of the document say of a request. */
export interface Content {
  query: Record<string, unknown>;
  /** Undefined: none. */
  body: unknown;
}

/** Query and body for a route of the document; nothing for the others. */
export function contentOf(service: Service, world: World, route: Route, mode: Mode): fc.Arbitrary<Content> {
  const { schemas } = service.document;
  const operation = service.document.operation(route.method, route.path);
  const known = knownOf(mode === 'foreign' ? world.b : world.a);
  const maker = (manner: Manner) => new Maker(schemas, known, manner);
  const parameters = (operation?.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const inQuery = maker(mode === 'fuzz' ? 'strange' : 'meant');
  const made = (some: readonly Parameter[]) =>
    fc.record(Object.fromEntries(some.map(({ name, schema }) => [name, inQuery.of(schema, name)])));
  const query = fc
    .shuffledSubarray(parameters.filter(({ required }) => !required))
    .chain((some) => made([...parameters.filter(({ required }) => required), ...some.slice(0, OPTIONAL_MAX)]));
  const media = operation?.requestBody?.content['application/json'];
  if (!media) return fc.record({ query, body: fc.constant(undefined) });
  const meant = media.example === undefined ? maker('meant').of(media.schema) : maker('meant').like(media.example);
  const largest = maker('largest').of(media.schema);
  const strange = fc.oneof(
    { arbitrary: maker('strange').like(media.example), weight: media.example === undefined ? 0 : 3 },
    { arbitrary: maker('strange').of(media.schema), weight: 5 },
    { arbitrary: largest, weight: 2 },
  );
  const body = mode === 'largest' ? largest : mode === 'fuzz' ? strange : meant;
  const isRequired = operation?.requestBody?.required ?? false;
  return fc.record({ query, body: isRequired ? body : fc.option(body, { freq: 4, nil: undefined }) });
}

/** A request to the route that the service should accept, if the state of what it names allows it. */
export async function attemptAt(
  service: Service,
  world: World,
  route: Route,
  { draws, content, mode }: { draws: Draws; content: Content; mode: Mode },
): Promise<Attempt> {
  const operation = service.document.operation(route.method, route.path);
  const visitor = isOfInterface(route) ? visitorOf(world, route, draws, mode) : null;
  // The other organization's owner tries what is not theirs.
  const isOther = mode === 'foreign' || (visitor?.org === world.c && draws.chance(0.5));
  const target = isOther && !isByLink(route) && !isOfOperator(route) ? world.b : world.a;
  const draft: Draft = {
    method: route.method,
    host: route.space === 'shop' ? target.host : 'localhost',
    segments: segmentsOf(route, world.a, target, draws),
    query: [],
    headers: {},
    body: { kind: 'none' },
    changes: [],
  };
  const attempt: Attempt = { route, operation, draft, caller: world.stranger, visitor, formToken: 'own' };
  if (route.path.startsWith(REFERENCE)) fillReference(attempt, draws);
  else if (visitor) await fillPage(attempt, target, draws);
  else if (isOfOperator(route)) fillOperator(attempt, world, draws);
  else if (operation) fillOperation(attempt, world.a, content, draws);
  return attempt;
}

function visitorOf({ a, c }: World, { path }: Route, draws: Draws, mode: Mode): Visitor {
  const stranger = { label: 'visitor', org: null, person: null };
  // Whoever signs in is somebody else afterwards.
  if (SIGNING_IN.test(path) && (mode !== 'fuzz' || draws.chance(0.8))) return stranger;
  const who = mode === 'plain' ? 0 : draws.below(100);
  const member = (org: Org, role: 'owner' | 'pharmacist' | 'staff'): Visitor => ({
    label: `${org.mark} ${role}`,
    org,
    person: org.people.get(role) ?? null,
  });
  if (mode === 'foreign') return member(c, 'owner');
  if (who < 45) return member(a, 'owner');
  if (who < 57) return member(a, 'pharmacist');
  if (who < 69) return member(a, 'staff');
  if (who < 92) return member(c, 'owner');
  return stranger;
}

/** Ids in the state that the last step of a path asks for. */
const SUITED: Record<string, string> = {
  'order-requests/:id/reopen': 'requests that were rejected',
  'order-requests/:id/approve': 'requests that wait',
  'order-requests/:id/reject': 'requests that wait',
  'orders/:id/refund': 'orders that were paid',
  'DELETE /base/api/v2/public/orgs/:orgId/orders/:id': 'orders that were cancelled',
  'DELETE /base/api/v2/public/orgs/:orgId/customers/:id': 'customers without an open order',
};
const SUITED_SHARE = 0.6;

/** Takes away what other requests need. */
function isRemoval(path: string): boolean {
  return /\/(revoke|role|deactivate|remove|delete)$/.test(path) || path.endsWith(':keyId');
}

/** @param own whose organization the path is in; @param org whose things it names */
function segmentsOf({ path, name }: Route, own: Org, org: Org, draws: Draws): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((segment) => {
    if (!segment.startsWith(':')) return segment;
    if (segment === ':orgId') return own.orgId;
    const suited = Object.entries(SUITED).find(([pattern]) => name.endsWith(pattern))?.[1] ?? '';
    const kind = draws.chance(SUITED_SHARE) && org.ids.has(suited) ? suited : kindOf(path, segment);
    const all = org.ids.get(segment === ':id' ? kind : kindOf(path, segment)) ?? [];
    const free = isRemoval(path) ? all.filter((id) => !org.kept.has(id)) : all;
    return free.length > 0 ? encodeURIComponent(draws.pick(free)) : draws.uuid();
  });
}

/** Made up, of each kind of list: they fit their patterns. */
const CURSORS = [
  ...['A', '_', 'J'].flatMap((each) => [`aWQ6${each.repeat(48)}`, `Y2hn${each.repeat(12)}`, `ZXZ0${each.repeat(12)}`]),
  ...['', 'A', 'UDEt', '_'.repeat(534)].flatMap((rest) => [`a2V5${rest}`, `Y2F0${rest}`]),
];

function knownOf(org: Org): Known {
  const all: Record<string, readonly unknown[]> = {
    shop_id: org.ids.get('shops') ?? [],
    p1_id: org.ids.get('products') ?? [],
    product_id: org.ids.get('products') ?? [],
    customer_id: [...(org.ids.get('customers') ?? []), 'K-1'],
    external_reference: [...['S0', 'S3', 'S7', 'R0', 'R1'].map((sent) => `${org.mark}-${sent}`), 'RX-1', 'RX-2'],
    external_id: [`${org.mark}-O0`, 'X-1', 'X-2', 'X-3'],
    prescription_pdf_url: ['https://rezepte.telemed-beispiel.de/a.pdf'],
    reason_code: ['other', 'test', 'customer_withdrew'],
    org_id: [org.orgId],
    shipping_option: ['Abholung', 'Versand', 'Express'],
    cursor: ['', ...CURSORS],
    email: [`erika@${org.mark}.example`, `KUNDE1@${org.mark}.example`],
    pzn: org.ids.get('pzns') ?? [],
    scope: ['products.read', 'products.read orders.read', ''],
  };
  return (name) => all[name] ?? [];
}

function fillOperation(attempt: Attempt, org: Org, { query, body }: Content, draws: Draws): void {
  const { route, draft } = attempt;
  const isToken = route.path.endsWith('/auth/token');
  attempt.caller = route.space === 'shop' ? org.integration : isToken ? org.key : org.token;
  draft.query = Object.entries(query).map(([name, value]) => [name, encodeURIComponent(textOf(value))]);
  if (body === undefined) return;
  if (isToken && draws.chance(0.4)) {
    const fields: Pair[] = [
      ['grant_type', 'client_credentials'],
      ['client_secret', org.key.secret],
    ];
    draft.body = { kind: 'form', fields };
    draft.headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return;
  }
  draft.body = { kind: 'json', value: body };
  draft.headers = { ...JSON_TYPE };
}

function textOf(value: unknown): string {
  return (typeof value === 'string' ? value : jsonOf(value)).toWellFormed().slice(0, QUERY_MAX);
}

type OperatorBody = (org: Org, draws: Draws) => unknown;

const EMAIL = (org: Org, draws: Draws) => `neu${draws.below(1e6)}@${org.mark}.example`;

/** Bodies of docs/operator-api.md; the operator API is not in the OpenAPI document. */
const OPERATOR_BODIES: Record<string, OperatorBody> = {
  'POST /organizations': () => ({ name: 'Neue Apotheke', iban: 'DE89370400440532013000', low_stock_threshold: 5 }),
  'PATCH /organizations/:orgId': () => ({ payment_recipient: 'Erika Muster', request_retention_days: 365 }),
  'POST /organizations/:orgId/shops': (org, draws) => ({
    name: 'Neu',
    hosts: [`neu${draws.below(1e9)}.${org.mark}.localhost`],
    delivery_service_name: 'Bote',
  }),
  'POST /organizations/:orgId/shops/:shopId/hosts': (org, draws) => ({
    host: `h${draws.below(1e9)}.${org.mark}.localhost`,
  }),
  'POST /organizations/:orgId/api-keys': () => ({
    name: 'k',
    scopes: ['products.read'],
    expires_at: '2035-01-01T00:00:00Z',
  }),
  'POST /organizations/:orgId/subscriptions': () => ({ url: 'http://127.0.0.1:9/', event_types: ['order_created'] }),
  'POST /organizations/:orgId/members': (org, draws) => ({ email: EMAIL(org, draws), role: 'staff' }),
  'POST /organizations/:orgId/members/reset': (org) => ({ email: `owner1@${org.mark}.example`, second_factor: true }),
  'POST /erasures/replay': () => ({ since: '2026-11-20' }),
  'PUT /switches': () => ({ deletions: 'on' }),
};

function fillOperator(attempt: Attempt, world: World, draws: Draws): void {
  const { route, draft } = attempt;
  attempt.caller = world.operator;
  const name = `${route.method} ${route.path.replace('/api/operator/v1', '')}`;
  if (name === 'GET /hosts') draft.query = [['status', 'pending']];
  if (name === 'POST /catalog') {
    const line = { p1_id: `P1-neu-${draws.below(50)}`, name: 'Salbe', slug: 'salbe', category: 'Haut', price: 1 };
    draft.body = { kind: 'text', text: `${JSON.stringify(line)}\n` };
    draft.headers = { 'Content-Type': 'application/x-ndjson' };
  }
  const body = OPERATOR_BODIES[name];
  if (!body) return;
  draft.body = { kind: 'json', value: body(world.a, draws) };
  draft.headers = { ...JSON_TYPE };
}

/** Fields of forms that no page of a signed-in owner shows. */
const UNSEEN_FORMS: Record<string, [string, string][]> = {
  '/manage/sign-in': [
    ['email', ''],
    ['password', ''],
    ['next', ''],
  ],
  '/manage/sign-in/code': [
    ['code', '123456'],
    ['next', ''],
  ],
  '/manage/sign-in/pharmacy': [
    ['member', ''],
    ['next', ''],
  ],
  '/manage/invitation/:token': [
    ['name', ''],
    ['password', ''],
  ],
  '/manage/reset/:token': [['password', '']],
  '/manage/account/second-factor/confirm': [['code', '123456']],
  '/manage/account/second-factor/disable': [['password', '']],
};

/** What a person would type into an empty field. */
const TYPED: Record<string, (org: Org, draws: Draws) => string> = {
  name: () => 'Neu Özgür',
  password: () => PASSWORD,
  current: () => PASSWORD,
  next: () => PASSWORD,
  email: (org, draws) => (draws.chance(0.5) ? `owner1@${org.mark}.example` : EMAIL(org, draws)),
  host: (org, draws) => `h${draws.below(1e9)}.${org.mark}.localhost`,
  url: () => 'http://127.0.0.1:9/',
  amount: () => '1,00',
  note: () => 'Rückruf',
  reason: () => 'Bruch',
  withdrawal_reason: () => 'Schon verschickt',
  // Of a prescription and of a question, whose ids follow.
  aside: () => 'Gehört zu einer anderen Bestellung',
  answer: () => 'Zweimal täglich',
  quantity: () => '2',
  change: () => '+1',
  info_note: () => 'Rückruf',
  hold_reason: () => 'Rückruf',
  override_reason: () => 'Rückruf',
};

async function fillPage({ route, draft, visitor }: Attempt, target: Org, draws: Draws): Promise<void> {
  const queries = target.queries.get(route.name);
  if (route.method === 'GET') {
    const pages = target.pages.get(route.name) ?? [];
    if (pages.length > 0 && draws.chance(0.7)) return toPath(draft, draws.pick(pages));
    for (const name of queries ?? [])
      if (draws.chance(OPTIONAL_SHARE)) draft.query.push([encodeURIComponent(name), '']);
    return;
  }
  const forms = (target.forms.get(route.name) ?? []).filter(
    ({ action }) => !isRemoval(route.path) || ![...target.kept].some((id) => action.includes(id)),
  );
  const found = visitor?.person ? await firstThere(draws.turned(forms), target) : undefined;
  const fields = (found?.fields ?? UNSEEN_FORMS[route.path] ?? []).filter(
    ([name]) => name !== 'form_token' && !isFile(name),
  );
  if (found) toPath(draft, found.action);
  const filled = fields.map(([name, value]): [string, string] => {
    const other = found?.choices[name] ?? [];
    const filled = value === '' && draws.chance(0.9) ? other.filter((choice) => choice !== '') : other;
    if (other.length > 1 && (value === '' || draws.chance(0.4))) return [name, draws.pick(filled)];
    const typed = TYPED[name.split('-')[0] ?? ''];
    return [name, value || (draws.chance(0.8) && typed?.(visitor?.org ?? target, draws)) || value];
  });
  // Boxes that are not ticked, and choices of which none is made.
  for (const [name, values] of Object.entries(found?.choices ?? {})) {
    const isOpen = values.length > 0 && name !== 'form_token' && !fields.some(([sent]) => sent === name);
    if (isOpen && !isFile(name) && draws.chance(0.6)) filled.push([name, draws.pick(values)]);
  }
  draft.body = bodyOf(route.path, filled);
}

function bodyOf(path: string, fields: Pair[]): Body {
  if (path.endsWith('/prescription')) {
    return { kind: 'multipart', fields, fileField: 'prescription_file', file: onePagePdf('Rezept').toString('latin1') };
  }
  if (path.endsWith('/inventory-import')) {
    return { kind: 'multipart', fields, fileField: 'stock_file', file: 'p1_id,delta\nP1-10001,1\n' };
  }
  return { kind: 'form', fields };
}

function isFile(name: string): boolean {
  return FILE_FIELDS.some((field) => field === name);
}

function toPath(draft: Draft, path: string): void {
  const { pathname, search } = new URL(path, 'http://x');
  draft.segments = pathname.slice(1).split('/');
  draft.query = [...new URLSearchParams(search)].map(([name, value]) => [name, encodeURIComponent(value)]);
}

const FORMS_READ_MAX = 4;

/** The first form that its page still has, as the page shows it now; else the last one as it was. */
async function firstThere(forms: readonly FoundForm[], { people }: Org): Promise<FoundForm | undefined> {
  const browser = await people.get('owner')?.enter();
  for (const form of forms.slice(0, FORMS_READ_MAX)) {
    const { body = '' } = (await browser?.get(form.page)) ?? {};
    const now = formsOn(body).find(({ action }) => action === form.action);
    if (now) return { ...form, ...now };
  }
  return forms[0];
}

/** A page of the reference with as many steps as the route has. */
function fillReference({ route, draft }: Attempt, draws: Draws): void {
  const steps = route.path.split('/').length;
  const pages = REFERENCE_PAGES.map((page) => `${REFERENCE}${page}`).filter((page) => page.split('/').length === steps);
  toPath(draft, draws.pick(pages));
  const words = ['', 'order', 'webhook retry', ...MARKUP];
  if (draft.segments.includes('search')) draft.query = [['q', encodeURIComponent(draws.pick(words))]];
}

/** The request as it goes over the wire, with the credentials of who sends it. */
export async function finish(
  attempt: Attempt,
  service: Service,
  world: World,
): Promise<{ sent: Sent; browser: Browser | null }> {
  const { draft, caller, visitor } = attempt;
  if (!visitor) {
    const sent = sentOf(draft);
    return { sent: { ...sent, headers: { ...sent.headers, ...caller.headers } }, browser: null };
  }
  const browser = visitor.person ? await visitor.person.enter() : new Browser(service.line);
  const isForm = draft.body.kind === 'form' || draft.body.kind === 'multipart';
  const token = isForm ? await formTokenOf(attempt, browser, world) : null;
  const type =
    draft.body.kind === 'multipart' ? `multipart/form-data; boundary=${BOUNDARY}` : 'application/x-www-form-urlencoded';
  const sent = sentOf({
    ...draft,
    body: token === null ? draft.body : withField(draft.body, token),
    headers: { ...(isForm && { 'Content-Type': type }), ...draft.headers },
  });
  return { sent, browser };
}

function withField(body: Body, token: string): Body {
  if (body.kind === 'form') return { ...body, fields: [['form_token', token], ...body.fields] };
  if (body.kind !== 'multipart') return body;
  return { ...body, fields: [['form_token', token], ...body.fields] };
}

async function formTokenOf({ formToken }: Attempt, browser: Browser, { a, c }: World): Promise<string | null> {
  if (formToken === 'missing') return null;
  if (formToken === 'wrong') return 'f'.repeat(64);
  if (formToken === 'own') return browser.formToken();
  const others = [a, c].map((org) => org.people.get('owner')).filter((person) => person?.browser !== browser);
  const other = await others[0]?.enter();
  return (await other?.formToken()) ?? null;
}
