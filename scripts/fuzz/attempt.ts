import { onePagePdf } from '../pdf.ts';
import type { Random } from '../random.ts';
import type { Operation } from './document.ts';
import { formsOn } from './pages.ts';
import { Browser, PASSWORD, type Person } from './person.ts';
import { BOUNDARY, type Body, type Draft, FILE_FIELD, type Sent, sentOf } from './request.ts';
import { kindOf, type Route } from './routes.ts';
import { type Known, Maker, type Size } from './schema.ts';
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
const ALWAYS_OPTIONAL_SHARE = 0.35;
const SIZES: readonly Size[] = ['usual', 'usual', 'largest', 'smallest'];
/** Of requests that take a body, so many begin with the document's own example. */
const EXAMPLE_SHARES: Record<Mode, number> = { plain: 1, foreign: 1, largest: 0, fuzz: 0.3 };
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

/** A request to the route that the service should accept, if the state of what it names allows it. */
export async function attemptAt(
  service: Service,
  world: World,
  route: Route,
  random: Random,
  mode: Mode,
): Promise<Attempt> {
  const operation = service.document.operation(route.method, route.path);
  const visitor = isOfInterface(route) ? visitorOf(world, route, random, mode) : null;
  // The other organization's owner tries what is not theirs.
  const isOther = mode === 'foreign' || (visitor?.org === world.c && random.chance(0.5));
  const target = isOther && !isByLink(route) && !isOfOperator(route) ? world.b : world.a;
  const draft: Draft = {
    method: route.method,
    host: route.space === 'shop' ? target.host : 'localhost',
    segments: segmentsOf(route, world.a, target, random),
    query: [],
    headers: {},
    body: { kind: 'none' },
    bytes: [],
  };
  const attempt: Attempt = { route, operation, draft, caller: world.stranger, visitor, formToken: 'own' };
  if (visitor) await fillPage(attempt, target, random);
  else if (isOfOperator(route)) fillOperator(attempt, world, random);
  else if (operation) fillOperation(service, attempt, { org: world.a, target }, random, mode);
  else if (route.path === '/api/v1/external-order') attempt.caller = target.integration;
  return attempt;
}

function visitorOf({ a, c }: World, { path }: Route, random: Random, mode: Mode): Visitor {
  const stranger = { label: 'visitor', org: null, person: null };
  // Whoever signs in is somebody else afterwards.
  if (SIGNING_IN.test(path) && (mode !== 'fuzz' || random.chance(0.8))) return stranger;
  const who = mode === 'plain' ? 0 : random.below(100);
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
};
const SUITED_SHARE = 0.6;

/** Takes away what other requests need. */
function isRemoval(path: string): boolean {
  return /\/(revoke|role|deactivate|remove|delete)$/.test(path) || path.endsWith(':keyId');
}

/** @param own whose organization the path is in; @param org whose things it names */
function segmentsOf({ path, name }: Route, own: Org, org: Org, random: Random): string[] {
  const segments = path.split('/').slice(1);
  return segments.map((segment) => {
    if (!segment.startsWith(':')) return segment;
    if (segment === ':orgId') return own.orgId;
    const suited = Object.entries(SUITED).find(([pattern]) => name.endsWith(pattern))?.[1] ?? '';
    const kind = random.chance(SUITED_SHARE) && org.ids.has(suited) ? suited : kindOf(path, segment);
    const all = org.ids.get(segment === ':id' ? kind : kindOf(path, segment)) ?? [];
    const free = isRemoval(path) ? all.filter((id) => !org.kept.has(id)) : all;
    return free.length > 0 ? encodeURIComponent(random.pick(free)) : random.uuid();
  });
}

function sizeOf(mode: Mode, random: Random): Size {
  if (mode === 'largest') return mode;
  return mode === 'fuzz' ? random.pick(SIZES) : 'usual';
}

function knownOf(org: Org): Known {
  const all: Record<string, readonly unknown[]> = {
    shop_id: org.ids.get('shops') ?? [],
    p1_id: org.ids.get('products') ?? [],
    product_id: org.ids.get('products') ?? [],
    customer_id: [...(org.ids.get('customers') ?? []), 'K-1'],
    external_reference: [`${org.mark}-R0`, `${org.mark}-R1`, 'RX-1', 'RX-2'],
    external_id: [`${org.mark}-O0`, 'X-1', 'X-2', 'X-3'],
    prescription_pdf_url: ['https://rezepte.telemed-beispiel.de/a.pdf'],
    reason_code: ['other', 'test', 'customer_withdrew'],
    org_id: [org.orgId],
    shipping_option: ['Abholung', 'Versand', 'Express'],
    cursor: [''],
    scope: ['products.read', 'products.read orders.read', ''],
  };
  return (name) => all[name] ?? [];
}

function fillOperation(
  service: Service,
  attempt: Attempt,
  { org, target }: { org: Org; target: Org },
  random: Random,
  mode: Mode,
): void {
  const { operation, route, draft } = attempt;
  const known = knownOf(target);
  const maker = new Maker(service.document.schemas, known, sizeOf(mode, random));
  const isToken = route.path.endsWith('/auth/token');
  attempt.caller = route.space === 'shop' ? org.integration : isToken ? org.key : org.token;
  for (const { in: place, name, required, schema } of operation?.parameters ?? []) {
    if (place !== 'query' || (!required && !random.chance(ALWAYS_OPTIONAL_SHARE))) continue;
    draft.query.push([name, encodeURIComponent(String(maker.value(schema, random, name)))]);
  }
  const { content = {}, required = false } = operation?.requestBody ?? {};
  const media = content['application/json'];
  if (!media || (!required && random.chance(0.2))) return;
  if (isToken && random.chance(0.4)) {
    draft.body = {
      kind: 'form',
      fields: [
        ['grant_type', 'client_credentials'],
        ['client_secret', org.key.secret],
      ],
    };
    draft.headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return;
  }
  const isExample = media.example !== undefined && random.chance(EXAMPLE_SHARES[mode]);
  const value = isExample ? withKnown(media.example, known, random) : maker.value(media.schema, random);
  draft.body = { kind: 'json', value };
  draft.headers = { ...JSON_TYPE };
}

/** The example, with what it names replaced by what there is. */
function withKnown(value: unknown, known: Known, random: Random): unknown {
  if (Array.isArray(value)) return value.map((each) => withKnown(each, known, random));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const all = known(name);
      return [name, typeof member === 'string' && all.length > 0 ? random.pick(all) : withKnown(member, known, random)];
    }),
  );
}

type OperatorBody = (org: Org, random: Random) => unknown;

const EMAIL = (org: Org, random: Random) => `neu${random.below(1e6)}@${org.mark}.example`;

/** Bodies of docs/operator-api.md; the operator API is not in the OpenAPI document. */
const OPERATOR_BODIES: Record<string, OperatorBody> = {
  'POST /organizations': () => ({ name: 'Neue Apotheke', iban: 'DE89370400440532013000', low_stock_threshold: 5 }),
  'PATCH /organizations/:orgId': () => ({ payment_recipient: 'Erika Muster', request_retention_days: 365 }),
  'POST /organizations/:orgId/shops': (org, random) => ({
    name: 'Neu',
    hosts: [`neu${random.below(1e9)}.${org.mark}.localhost`],
    delivery_service_name: 'Bote',
  }),
  'POST /organizations/:orgId/shops/:shopId/hosts': (org, random) => ({
    host: `h${random.below(1e9)}.${org.mark}.localhost`,
  }),
  'POST /organizations/:orgId/api-keys': () => ({
    name: 'k',
    scopes: ['products.read'],
    expires_at: '2035-01-01T00:00:00Z',
  }),
  'POST /organizations/:orgId/subscriptions': () => ({ url: 'http://127.0.0.1:9/', event_types: ['order_created'] }),
  'POST /organizations/:orgId/members': (org, random) => ({ email: EMAIL(org, random), role: 'staff' }),
  'POST /organizations/:orgId/members/reset': (org) => ({ email: `owner1@${org.mark}.example`, second_factor: true }),
  'POST /erasures/replay': () => ({ since: '2026-11-20' }),
};

function fillOperator(attempt: Attempt, world: World, random: Random): void {
  const { route, draft } = attempt;
  attempt.caller = world.operator;
  const name = `${route.method} ${route.path.replace('/api/operator/v1', '')}`;
  if (name === 'GET /hosts') draft.query = [['status', 'pending']];
  if (name === 'POST /catalog') {
    const line = { p1_id: `P1-neu-${random.below(50)}`, name: 'Salbe', slug: 'salbe', category: 'Haut', price: 1 };
    draft.body = { kind: 'text', text: `${JSON.stringify(line)}\n` };
    draft.headers = { 'Content-Type': 'application/x-ndjson' };
  }
  const body = OPERATOR_BODIES[name];
  if (!body) return;
  draft.body = { kind: 'json', value: body(world.a, random) };
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
const TYPED: Record<string, (org: Org, random: Random) => string> = {
  name: () => 'Neu Özgür',
  password: () => PASSWORD,
  current: () => PASSWORD,
  next: () => PASSWORD,
  email: (org, random) => (random.chance(0.5) ? `owner1@${org.mark}.example` : EMAIL(org, random)),
  host: (org, random) => `h${random.below(1e9)}.${org.mark}.localhost`,
  url: () => 'http://127.0.0.1:9/',
  amount: () => '1,00',
  note: () => 'Rückruf',
  reason: () => 'Bruch',
  quantity: () => '2',
  change: () => '+1',
  info_note: () => 'Rückruf',
  hold_reason: () => 'Rückruf',
  override_reason: () => 'Rückruf',
};

async function fillPage({ route, draft, visitor }: Attempt, target: Org, random: Random): Promise<void> {
  const queries = target.queries.get(route.name);
  if (route.method === 'GET') {
    const pages = target.pages.get(route.name) ?? [];
    if (pages.length > 0 && random.chance(0.7)) return toPath(draft, random.pick(pages));
    for (const name of queries ?? [])
      if (random.chance(ALWAYS_OPTIONAL_SHARE)) draft.query.push([encodeURIComponent(name), '']);
    return;
  }
  const forms = (target.forms.get(route.name) ?? []).filter(
    ({ action }) => !isRemoval(route.path) || ![...target.kept].some((id) => action.includes(id)),
  );
  const found = visitor?.person ? await firstThere(random.shuffled(forms), target) : undefined;
  const fields = (found?.fields ?? UNSEEN_FORMS[route.path] ?? []).filter(
    ([name]) => name !== 'form_token' && name !== FILE_FIELD,
  );
  if (found) toPath(draft, found.action);
  const filled = fields.map(([name, value]): [string, string] => {
    const other = found?.choices[name] ?? [];
    const filled = value === '' && random.chance(0.9) ? other.filter((choice) => choice !== '') : other;
    if (other.length > 1 && (value === '' || random.chance(0.4))) return [name, random.pick(filled)];
    return [name, value || (random.chance(0.8) && TYPED[name]?.(visitor?.org ?? target, random)) || value];
  });
  // Boxes that are not ticked, and choices of which none is made.
  for (const [name, values] of Object.entries(found?.choices ?? {})) {
    const isOpen = values.length > 0 && !fields.some(([sent]) => sent === name);
    if (isOpen && name !== FILE_FIELD && random.chance(0.6)) filled.push([name, random.pick(values)]);
  }
  draft.body = route.path.endsWith('/prescription')
    ? { kind: 'multipart', fields: filled, file: onePagePdf('Rezept').toString('latin1') }
    : { kind: 'form', fields: filled };
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
    const { text = '' } = (await browser?.get(form.page)) ?? {};
    const now = formsOn(text).find(({ action }) => action === form.action);
    if (now) return { ...form, ...now };
  }
  return forms[0];
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
