import type { Attempt } from './attempt.ts';
import { isOfInterface } from './attempt.ts';
import type { Answer, Sent } from './request.ts';
import { type Route, routeAt } from './routes.ts';
import { isInjected } from './strange.ts';
import type { Org, Service, World } from './world.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const MARK = /mark\d+[abc]x/g;
/** What only the inside of the service says. */
const INSIDE =
  /\b(D1_ERROR|SQLITE_\w+|ZodError|TypeError|RangeError|SyntaxError|ReferenceError)\b|\n\s+at \S+ ?\(?\S*:\d+:\d+|\b(select|insert into|update|delete from) "\w+"/;
const HTML = 'text/html';
const PROBLEM = 'application/problem+json';
const SIGN_IN = '/manage/sign-in';
/** Pages and forms of the interface that need no session. */
const OPEN = /^\/manage\/(assets|sign-in|sign-out|leave-test|language|invitation|reset)\b/;

/** Parts of a page, for its script. They hold products of whoever asks, and the id of a request only in their own address. */
const PARTS = ['/manage/requests/:id/products'];

/** Ids and marks of organizations, by what they stand for. */
export class Owners {
  private readonly byText = new Map<string, string>();

  constructor(...orgs: Org[]) {
    for (const { mark, ids } of orgs) {
      for (const id of [...ids].flatMap(([kind, all]) => (kind === 'products' || kind === 'assets' ? [] : all))) {
        this.byText.set(id, mark);
      }
    }
  }

  /** What a text holds that belongs to another organization than this. */
  foreignIn(text: string, org: Org | null): string[] {
    const ids = (text.match(UUID) ?? []).filter((id) => (this.byText.get(id) ?? org?.mark) !== org?.mark);
    const marks = (text.match(MARK) ?? []).filter((mark) => mark !== org?.mark);
    return [...new Set([...ids, ...marks])];
  }
}

export interface Exchange {
  attempt: Attempt;
  sent: Sent;
  answer: Answer;
}

/** What is wrong with an answer, as one line for each fault; empty when all is well. */
export class Checks {
  private readonly service: Service;
  private readonly owners: Owners;
  private readonly world: World;
  /** What an organization has sent itself, so that it may come back later. */
  private readonly told = new Map<Org | null, Set<string>>();
  private readonly toldByOperator = new Set<string>();

  constructor(service: Service, world: World) {
    this.service = service;
    this.world = world;
    this.owners = new Owners(world.a, world.b, world.c);
  }

  faultsOf(exchange: Exchange): string[] {
    const { answer, attempt, sent } = exchange;
    const route = this.routeOf(sent);
    // What it reports is that receivers of the run's subscriptions do not exist.
    const isReport = route?.path === '/readyz' && answer.status === 503;
    if (answer.status >= 500 && !isReport) return [`status ${answer.status}`];
    const type = String(answer.headers['content-type'] ?? '').split(';')[0] ?? '';
    const faults = [
      ...(answer.headers['x-request-id'] ? [] : ['no X-Request-Id']),
      ...(INSIDE.test(answer.body) ? [`says something of its inside: ${INSIDE.exec(answer.body)?.[0]}`] : []),
      ...this.leaksOf(exchange),
      ...(type === HTML ? pageFaults(answer, PARTS.includes(route?.path ?? '')) : []),
      ...(attempt.visitor && route && isOfInterface(route) ? this.interfaceFaults(exchange, route) : []),
    ];
    const isInterface = sent.host === 'localhost' && /^\/manage\b/.test(sent.path);
    if (!isInterface && !isReport && sent.method !== 'HEAD') faults.push(...this.apiFaults(exchange, route, type));
    return faults;
  }

  private routeOf({ host, method, path }: Sent): Route | undefined {
    const pathname = URL.parse(path, `http://${host}`)?.pathname ?? '';
    const space = host === 'localhost' ? 'base' : 'shop';
    return routeAt(
      this.service.routes.filter((each) => each.space === space),
      method,
      pathname,
    );
  }

  private leaksOf({ attempt, sent, answer }: Exchange): string[] {
    const { org, isOperator } = this.reader(attempt);
    const request = sentText(sent);
    // What the operator enters for an organization is the organization's.
    if (isOperator) for (const each of this.owners.foreignIn(request, null)) this.toldByOperator.add(each);
    if (isOperator) return [];
    const told = this.told.get(org) ?? new Set();
    this.told.set(org, told);
    const named = this.owners.foreignIn(request, org);
    if (answer.status < 400 && sent.method !== 'GET') for (const each of named) told.add(each);
    // The organization whose address or whose invitation it is has said so itself.
    const [host] = this.owners.foreignIn(sent.host, null);
    const location = String(answer.headers.location ?? '');
    return this.owners
      .foreignIn(`${answer.body} ${location}`, org)
      .filter(
        (each) =>
          !named.includes(each) &&
          !told.has(each) &&
          !this.toldByOperator.has(each) &&
          each !== host &&
          !request.includes(each),
      )
      .map((each) => `shows ${each} of another organization`);
  }

  private reader({ visitor, caller, route }: Attempt): { org: Org | null; isOperator: boolean } {
    if (!visitor)
      return {
        org: route.space === 'shop' && !caller.org ? this.world.a : caller.org,
        isOperator: caller.kind === 'operator',
      };
    // A link with a token is what its page belongs to.
    const isByLink = /:token$/.test(route.path);
    return { org: isByLink ? null : visitor.org, isOperator: isByLink };
  }

  private interfaceFaults({ attempt, sent, answer }: Exchange, route: Route): string[] {
    const { visitor, formToken } = attempt;
    const isOpen = OPEN.test(route.path);
    const location = String(answer.headers.location ?? '');
    // 204: the script is told where to go (management/http/fetched-form.ts).
    const isSentAway = [204, 303].includes(answer.status) && location.startsWith(SIGN_IN);
    const isRefused = answer.status >= 400 || isSentAway;
    const isForm = route.method === 'POST' && sent.method === 'POST';
    const foreign = this.owners.foreignIn(decoded(sent.path.split('?')[0] ?? ''), visitor?.org ?? null);
    const isLink = /:token$/.test(route.path) || PARTS.includes(route.path);
    return [
      ...(location && !/^\/manage(\/|$|\?)/.test(location) ? [`leads to ${location}`] : []),
      ...(!visitor?.person && !isOpen && !isRefused ? [`answers a visitor with ${answer.status}`] : []),
      ...(isForm && formToken !== 'own' && answer.status < 400 ? [`takes a form without its token`] : []),
      ...(foreign.length > 0 && !isLink && !isOpen && !isSentAway && answer.status < 300
        ? [`answers ${answer.status} for what is another organization's`]
        : []),
    ];
  }

  private apiFaults({ attempt, sent, answer }: Exchange, route: Route | undefined, type: string): string[] {
    const operation = route && this.service.document.operation(route.method, route.path);
    const isApi = /^\/api\//.test(sent.path) || sent.host !== 'localhost';
    const faults: string[] = [];
    if (route && answer.status < 400) {
      const isAllowed = this.isAllowed(attempt, sent, route);
      if (!isAllowed) faults.push(`answers ${answer.status} to ${attempt.caller.label}`);
      const foreign = this.owners.foreignIn(decoded(sent.path.split('?')[0] ?? ''), attempt.caller.org);
      const isKeyInForm = route.path.endsWith('/auth/token') && attempt.draft.body.kind === 'form';
      if (operation && foreign.length > 0 && attempt.caller.org && isAllowed && !isKeyInForm) {
        faults.push(`answers ${answer.status} for what is another organization's`);
      }
    }
    if (answer.status === 401 && !answer.headers['www-authenticate']) faults.push('401 without WWW-Authenticate');
    if (answer.status === 405 && !answer.headers.allow) faults.push('405 without Allow');
    if (!isApi && answer.status < 400) return faults;
    if (operation && route) return [...faults, ...this.documentFaults(route, operation, answer, type)];
    if (answer.status < 400) return faults;
    if (type !== PROBLEM && type !== HTML) return [...faults, `an error as ${type}`];
    return type === PROBLEM
      ? [...faults, ...this.misfits('Problem', { $ref: '#/components/schemas/Problem' }, answer)]
      : faults;
  }

  private documentFaults(
    route: Route,
    operation: NonNullable<ReturnType<Service['document']['operation']>>,
    answer: Answer,
    type: string,
  ): string[] {
    const media = operation.responses[answer.status]?.content?.[type];
    if (!media) return [`${answer.status} ${type} is not in the document`];
    const faults = this.misfits(`${route.name} ${answer.status} ${type}`, media.schema, answer);
    if (type !== PROBLEM || faults.length > 0) return faults;
    const problem = JSON.parse(answer.body) as { code: string };
    const members = this.service.document.membersOf(media.schema, problem.code);
    if (!members) return [`${answer.status} ${problem.code} is not in the document`];
    return Object.keys(problem)
      .filter((member) => !members.includes(member))
      .map((member) => `${problem.code} has ${member}, which is not in the document`);
  }

  private misfits(name: string, schema: object, { body }: Answer): string[] {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return ['the body is no JSON'];
    }
    return this.service.document
      .misfits(name, schema, value)
      .slice(0, 4)
      .map((misfit) => `does not fit the document: ${misfit}`);
  }

  /** Whether the caller may be answered with a success at all. */
  private isAllowed({ caller, draft }: Attempt, sent: Sent, { path, space, method }: Route): boolean {
    if (path.startsWith('/api/operator/')) return caller.kind === 'operator';
    if (space === 'shop')
      return (
        !path.startsWith('/api/v1/') ||
        (caller.kind === 'integration' && sent.host === caller.org?.host) ||
        isKeyInQuery(sent)
      );
    if (!path.includes('/orgs/:orgId')) return true;
    const isOwn = decoded(sent.path).includes(`/orgs/${caller.org?.orgId}/`);
    if (path.endsWith('/auth/token')) {
      return (['key', 'integration'].includes(caller.kind) && isOwn) || draft.body.kind === 'form';
    }
    const [scope = ''] = this.service.document.operation(method, path)?.security?.[0]?.accessToken ?? [];
    return caller.kind === 'token' && isOwn && caller.scopes.includes(scope);
  }
}

function isKeyInQuery({ path }: Sent): boolean {
  return /[?&]apikey=/.test(path);
}

function pageFaults({ body, headers }: Answer, isPart: boolean): string[] {
  return [
    ...(isInjected(body) ? ['shows markup of the request as markup'] : []),
    ...(/^<!doctype html>/i.test(body) || body === '' || isPart ? [] : ['is no whole page']),
    ...(headers['content-security-policy'] ? [] : ['no Content-Security-Policy']),
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** All that a request says, as it is and decoded. */
function sentText({ path, headers, body, host }: Sent): string {
  const text = body.toString();
  return [host, path, decoded(path), ...Object.values(headers), text, decoded(text.replaceAll('+', ' '))].join('\n');
}
