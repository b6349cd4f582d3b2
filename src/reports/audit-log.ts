import { type AuditAction, type AuditKind, kindOf } from '../audit/actions';
import { auditLogOf } from '../audit/record';
import type { AuditFilter } from '../audit/store';
import { requireRole } from '../platform/access';
import type { Context } from '../platform/context';
import { inList } from '../platform/data/db';
import type { Condition } from '../platform/data/statements';
import { AUDIT_FILE_MAX, AUDIT_PAGE_SIZE } from './limits';
import * as store from './store';

/** The most rows that are searched with a filter: `SCANNED` for a page, `SCANNED_FOR_FILE` for a file. */
const SCANNED = 5_000;
const SCANNED_FOR_FILE = 50_000;
const KEYS_OFFERED = 200;

/** An owner's search in the organization's log. */
export interface AuditSearch extends Omit<AuditFilter, 'entities'> {
  /** The text to search for: the number or reference of an order or request, or the id of any entity. */
  q?: string;
}

/** One page of the log. Takes one round trip for the rows and one for the names of the actors and entities. */
export async function readAuditLog(ctx: Context, search: AuditSearch) {
  const { orgId } = requireRole(ctx, ['owner']);
  const filter = filterOf(orgId, search);
  const statements = auditLogOf(ctx, filter, { limit: AUDIT_PAGE_SIZE, scanned: SCANNED });
  const { rows, team, keys, shops } = await ctx.db.run({
    rows: statements.rows,
    team: store.selectTeam(orgId),
    keys: store.selectTheirKeys(orgId, KEYS_OFFERED),
    shops: store.selectTheirShops(orgId),
  });
  const page = rows.slice(0, AUDIT_PAGE_SIZE);
  const last = rows.length > AUDIT_PAGE_SIZE ? page.at(-1)?.id : undefined;
  const scanEnd = last === undefined ? statements.scanEnd : undefined;
  const { lookBefore, ...named } = await namesIn(ctx, orgId, page, { shops, actor: filter.actor, scanEnd });
  return {
    rows: page,
    team,
    keys,
    ...named,
    /** The cursor of the next page. */
    nextBefore: last,
    /** The place to continue a search that reached its scan limit before the page was full. */
    lookBefore,
  };
}

export type AuditLog = Awaited<ReturnType<typeof readAuditLog>>;
export type LoggedAct = AuditLog['rows'][number];

/**
 * Returns the matching rows, at most as many as a file may have, in two round trips.
 * @returns `isCut` if there may be more rows
 */
export async function exportAuditLog(ctx: Context, search: AuditSearch) {
  const { orgId } = requireRole(ctx, ['owner']);
  const statements = auditLogOf(ctx, filterOf(orgId, search), { limit: AUDIT_FILE_MAX, scanned: SCANNED_FOR_FILE });
  const { rows, shops } = await ctx.db.run({ rows: statements.rows, shops: store.selectTheirShops(orgId) });
  const kept = rows.slice(0, AUDIT_FILE_MAX);
  const isFull = rows.length > AUDIT_FILE_MAX;
  const actors = kept.flatMap(({ actorId }) => actorId ?? []);
  const ids = kept.length > 0 ? inList([...new Set(actors)]) : undefined;
  const {
    people = [],
    keys = [],
    scanEnd,
  } = await ctx.db.run({
    people: ids && store.selectPeople(orgId, ids),
    keys: ids && store.selectKeyNames(orgId, ids),
    scanEnd: isFull ? undefined : statements.scanEnd,
  });
  return {
    rows: kept,
    names: new Map([...people, ...keys, ...shops].map(({ id, name }) => [id, name])),
    isCut: isFull || scanEnd?.[0] !== undefined,
  };
}

/** Matches the ids of rows and of products. */
const ID = /^([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|P1-.*)$/;

function filterOf(orgId: string, { q, ...filter }: AuditSearch): AuditFilter {
  if (q === undefined || filter.entityId !== undefined) return filter;
  return ID.test(q) ? { ...filter, entityId: q } : { ...filter, entities: store.subjectsCalled(orgId, q) };
}

/**
 * Returns the names of actors and entities by id, and for each entity the order, request or subscription that it
 * belongs to.
 */
async function namesIn(
  ctx: Context,
  orgId: string,
  rows: LoggedRow[],
  { shops, actor, scanEnd }: { shops: Named[]; actor?: string; scanEnd?: ReturnType<typeof auditLogOf>['scanEnd'] },
) {
  const about = (kind: AuditKind) => [
    ...new Set(rows.filter(({ action }) => kindOf(action) === kind).map(({ entityId }) => entityId)),
  ];
  /** Returns the query for these ids, or undefined if there are none. */
  const ask = <T>(ids: string[], select: (orgId: string, ids: Condition) => T) =>
    ids.length > 0 ? select(orgId, inList(ids)) : undefined;
  const actors = [...new Set([...rows.flatMap(({ actorId }) => actorId ?? []), ...(actor ? [actor] : [])])];
  const found = await ctx.db.run({
    people: ask([...actors, ...about('member')], store.selectPeople),
    keys: ask([...actors, ...about('key')], store.selectKeyNames),
    products: ask(about('product'), store.selectProductNames),
    links: ask(about('payment'), store.selectOrdersOfLinks),
    prescriptions: ask(about('prescription'), store.selectOwnersOfPrescriptions),
    subscriptions: ask(about('subscription'), store.selectSubscriptionHosts),
    deliveries: ask(about('subscription'), store.selectSubscriptionsOfDeliveries),
    orders: ask(about('order'), store.selectOrderNumbers),
    requests: ask(about('order_request'), store.selectReferences),
    scanEnd,
  });
  const { people = [], keys = [], products = [], subscriptions = [] } = found;
  return {
    names: new Map([
      ...[...people, ...keys, ...shops, ...products].map(({ id, name }) => [id, name] as const),
      ...subscriptions.map(({ id, host }) => [id, host] as const),
      ...[
        found.orders?.map(({ id, called }) => ({ id, name: called })),
        found.requests,
        found.links,
        found.prescriptions,
      ]
        .flatMap((each) => each ?? [])
        .flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])),
    ]),
    /** The id of the order of each payment link and each prescription. */
    orderIds: new Map(
      [...(found.links ?? []), ...(found.prescriptions ?? [])].flatMap(({ id, orderId }) =>
        orderId === null ? [] : [[id, orderId]],
      ),
    ),
    /** The shipping option of each order, because it decides how its statuses are called. */
    shippingOptions: new Map((found.orders ?? []).map((order) => [order.id, order.shippingOption])),
    requestIds: new Map(
      (found.prescriptions ?? []).flatMap(({ id, requestId }) => (requestId === null ? [] : [[id, requestId]])),
    ),
    lookBefore: found.scanEnd?.[0]?.id,
    subscriptionIds: new Map((found.deliveries ?? []).map(({ id, subscriptionId }) => [id, subscriptionId])),
    /** The ids of deleted subscriptions. The page must not link to them. */
    goneIds: new Set(subscriptions.filter(({ deletedAt }) => deletedAt !== null).map(({ id }) => id)),
  };
}

type Named = { id: string; name: string };
type LoggedRow = { actorId: string | null; action: AuditAction; entityId: string };
