import { Hono } from 'hono';
import { AUDIT_KINDS, AUDIT_PARTS, type AuditAction, type AuditKind, kindOf } from '../../audit/actions';
import type { apiKeysFields, membersFields, staffAccountsFields } from '../../auth/fields';
import type { WrittenField } from '../../catalog/fields';
import type { inventoryFields } from '../../inventory/fields';
import type { messageSettingsFields } from '../../messages/fields';
import type { ChangedName } from '../../platform/fields';
import { type AuditLog, type AuditSearch, exportAuditLog, type LoggedAct, readAuditLog } from '../../reports/audit-log';
import type { organizationsFields, shopsFields } from '../../tenants/fields';
import type { subscriptionsFields } from '../../webhooks/fields';
import { type Cell, respondCsv } from '../http/csv';
import type { ManageContext, ManageEnv } from '../http/env';
import type { Reader } from '../http/language';
import {
  AUDIT,
  KEYS,
  MEMBERS,
  ORGANIZATION,
  orderPath,
  productPath,
  requestPath,
  shopPath,
  WEBHOOKS,
} from '../http/paths';
import { actMessages } from '../ui/audit-messages';
import { Select } from '../ui/fields';
import { DateFields, type DateFilter, dateQuery, ListFilters, readDateFilter } from '../ui/filters';
import { dayHeading, formatSecond, shortIdOf } from '../ui/format';
import { Page, Second } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { actorText, changedFieldText, statusIn } from '../ui/order-summary';
import { ButtonLink, Icon, labelFor, Nothing } from '../ui/parts';
import { Bench, Table, Tabs } from '../ui/table';
import { hasFieldErrors, respondForm, textFor, useView } from '../ui/view';
import { messages } from './messages';

const ID_MAX = 100;
const AUDIT_ID = /^[\da-f-]{36}$/;

/** Routes of the audit log. They are for owners only: the use cases refuse all other roles. */
export const auditRoutes = new Hono<ManageEnv>()
  .get('/', async (c) => {
    const { query, dates, search } = read(c);
    const log = await readAuditLog(c.var.ctx, search);
    return respondForm(c, <AuditPage {...{ query, dates, log }} />, dates.fieldErrors);
  })
  .get('/export.csv', async (c) => {
    const { query, dates, search } = read(c);
    if (hasFieldErrors(dates.fieldErrors)) return c.redirect(auditPath(query, dates), 303);
    const { rows, names, isCut } = await exportAuditLog(c.var.ctx, { ...search, before: undefined });
    const { language } = c.var;
    const t = messages(c.var);
    const table: Cell[][] = rows.map((row) => [
      row.id,
      new Date(row.at).toISOString(),
      formatSecond(row.at, { language }),
      actorText(c.var, row, names),
      row.actorId,
      row.action,
      sentenceOf(c.var, row.action),
      row.entityId,
      fieldTexts(c.var, row.fields, names).join(', '),
      row.reasonCode,
      row.requestId,
    ]);
    // The file itself says that it is incomplete, because people pass it on without the page.
    if (isCut) table.push([t.fileCut(rows.length)]);
    return respondCsv(c, t.fileName, [[...t.columns], ...table]);
  });

/** Reads the filter from the query. Unknown values are ignored. An invalid date is an error. */
function read(c: ManageContext) {
  const asked = (name: string) => (c.req.query(name) ?? '').trim().slice(0, ID_MAX);
  const kind = AUDIT_KINDS.find((each) => each === asked('kind'));
  const [q, actor, entity] = [asked('q'), asked('actor'), asked('entity')];
  const before = AUDIT_ID.test(asked('before')) ? asked('before') : '';
  // A search for one thing shows all entries about it by default.
  const usual = q !== '' || entity !== '' || kind !== undefined ? 'all' : 'decisions';
  const tab = TABS.find((name) => name === asked('tab')) ?? usual;
  const dates = readDateFilter(c);
  const { createdAfter, createdBefore } = dates.period;
  const search: AuditSearch = {
    part: tab === 'all' ? undefined : tab,
    q: q || undefined,
    kind,
    actor: actor || undefined,
    entityId: entity || undefined,
    from: createdAfter === undefined ? undefined : createdAfter + 1,
    to: createdBefore,
    before: before || undefined,
  };
  return { query: { tab, q, kind: kind ?? '', actor, entity, before }, dates, search };
}

/** Kinds of actors that are neither a person nor a key. */
const NAMELESS = ['operator', 'system'] as const;

const TABS = [...AUDIT_PARTS, 'all'] as const;

/** The filter as it is in the URL's query. An empty text does not filter. */
type AuditQuery = ReturnType<typeof read>['query'];

type AuditProps = Pick<ReturnType<typeof read>, 'query' | 'dates'> & { log: AuditLog };

function AuditPage({ query, dates, log }: AuditProps) {
  const t = messages();
  const { common, nav } = sharedMessages();
  const isFiltered = [query.q, query.kind, query.actor, query.entity, dates.when ?? ''].some((text) => text !== '');
  const hasMore = log.lookBefore !== undefined;
  const path = (changed: Partial<AuditQuery>, file?: string) =>
    auditPath({ ...query, before: '', ...changed }, dates, file);
  const page = { query, dates, log, path };
  return (
    <Page
      title={nav.audit}
      fieldErrors={dates.fieldErrors}
      lead={t.lead}
      acts={<ButtonLink path={path({}, `${AUDIT}/export.csv`)} tone="ghost" icon="download" label={common.export} />}
    >
      <Bench isMany>
        <Tabs
          label={t.shown}
          tabs={TABS.map((tab) => ({ path: path({ tab }), label: t.tabs[tab], isCurrent: tab === query.tab }))}
        />
        <Filters {...page} isFiltered={isFiltered} />
      </Bench>
      {query.entity && (
        <p class="facts">
          <span class="quiet">
            {t.onlyAbout} <code>{query.entity}</code>
          </span>
          <a href={AUDIT}>{sharedMessages().common.resetFilter}</a>
        </p>
      )}
      {log.rows.length > 0 && <LogTable {...page} />}
      {log.rows.length === 0 && (
        <Nothing
          title={isFiltered || hasMore ? t.noneTitle : t.emptyTitle}
          text={hasMore ? t.noneSoFar : isFiltered ? t.none : t.empty}
        />
      )}
      <p class="pager">
        {query.before && <a href={path({})}>{common.newest}</a>}
        {log.nextBefore !== undefined && (
          <ButtonLink rel="next" path={path({ before: log.nextBefore })} label={common.older} />
        )}
        {log.lookBefore !== undefined && (
          <ButtonLink rel="next" path={path({ before: log.lookBefore })} label={t.lookFurther} />
        )}
        {query.tab === 'decisions' && <span>{t.hidden}</span>}
      </p>
    </Page>
  );
}

type PartProps = AuditProps & { path: (changed: Partial<AuditQuery>) => string };

function Filters({ query, dates, log, isFiltered }: PartProps & { isFiltered: boolean }) {
  const t = messages();
  const { common } = sharedMessages();
  return (
    <ListFilters
      action={AUDIT}
      hidden={{ tab: query.tab, entity: query.entity }}
      search={{ label: t.search, placeholder: t.searchHint, value: query.q }}
      isFiltered={isFiltered}
    >
      <Select
        name="actor"
        label={common.who}
        none={t.everybody}
        options={actorsToChoose(query.actor, log)}
        value={query.actor}
      />
      <Select
        name="kind"
        label={common.kind}
        none={t.allKinds}
        options={AUDIT_KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] }))}
        value={query.kind}
      />
      <DateFields filter={dates} />
    </ListFilters>
  );
}

/**
 * The actors to choose from: members, keys, and the kinds of actors without a name. The chosen actor is always
 * included, even if its access has ended since.
 */
function actorsToChoose(chosen: string, { team, keys, names }: AuditLog) {
  const listed = [
    ...team.map(({ id, name }) => ({ value: id, label: name })),
    ...keys.map(({ id, name }) => ({ value: id, label: `${messages().key} ${name}` })),
    ...NAMELESS.map((kind) => ({ value: kind, label: sharedMessages().actors[kind] })),
  ];
  if (chosen === '' || listed.some(({ value }) => value === chosen)) return listed;
  return [...listed, { value: chosen, label: names.get(chosen) ?? shortIdOf(chosen) }];
}

type ActProps = PartProps & { act: LoggedAct };

function LogTable(props: PartProps) {
  const view = useView();
  const { log } = props;
  const t = messages();
  const { common } = sharedMessages();
  return (
    <Table
      class="rows brief log"
      rows={log.rows}
      groupOf={({ at }) => dayHeading(at)}
      columns={[
        { label: common.time, class: 'age', cell: ({ at }) => <Second at={at} now={at} /> },
        { label: common.who, class: 'total', cell: (act) => <Who {...props} act={act} /> },
        { label: t.what, class: 'name', cell: ({ action }) => <strong>{sentenceOf(view, action)}</strong> },
        { label: t.thing, class: 'what', cell: (act) => <Thing {...props} act={act} /> },
        {
          label: t.details,
          class: 'settle',
          cell: (act) => detailsOf(props, act),
          title: (act) => detailsOf(props, act),
        },
      ]}
    />
  );
}

/** The actor of an act, as a link to the log filtered by this actor. */
function Who({ log, act, path }: ActProps) {
  const by = act.actorKind === 'operator' ? act.actorKind : (act.actorId ?? act.actorKind);
  const text = actorText(useView(), act, log.names);
  return (
    <a class="ink" href={path({ actor: by })} title={text}>
      <bdi>{text}</bdi>
    </a>
  );
}

/** The changed fields and the reason. The log contains only field names and codes. */
function detailsOf({ log }: PartProps, act: LoggedAct): string {
  const option = log.shippingOptions.get(act.entityId);
  const fields = fieldTexts(useView(), act.fields, log.names, option).join(', ');
  if (act.reasonCode === null) return fields;
  const reason = reasonText(act.reasonCode);
  // For a prescription, the code says how it was checked, not why.
  const isHow = act.action === 'prescription.approved';
  return [fields, isHow ? reason : `${sharedMessages().common.reason}: ${reason}`].filter(Boolean).join(' · ');
}

/** The target of an act, with links to its page and to the log filtered by this target. */
function Thing({ query, log, act }: ActProps) {
  const page = pathOfThing(log, act);
  const known =
    kindOf(act.action) === 'organization' ? useView().session?.organizationName : log.names.get(act.entityId);
  const { history } = sharedMessages().common;
  const name = <bdi>{known ?? shortIdOf(act.entityId)}</bdi>;
  return (
    <span class="thing">
      {page === undefined ? name : <a href={page}>{name}</a>}
      {query.entity === '' && (
        <a class="beside" href={`${AUDIT}?entity=${encodeURIComponent(act.entityId)}`} title={history}>
          <Icon name="clock" />
          <span class="unseen">{labelFor(history, known ?? shortIdOf(act.entityId))}</span>
        </a>
      )}
    </span>
  );
}

/** The log's URL. It contains the whole filter, so it can be bookmarked and shared. */
function auditPath(query: AuditQuery, dates: DateFilter, path = AUDIT): string {
  const all = { ...query, ...dateQuery(dates) };
  const params = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `${path}?${new URLSearchParams(params)}`;
}

/** The text of an action. An unknown action, written by a later version of the service, is shown as its code. */
function sentenceOf(reader: Reader, action: AuditAction): string {
  return actMessages(reader)[action] ?? action;
}

const SHOP_FIELD = 'shop:';
/** Matches a changed field that gives how many products or orders the act changed, such as `products:12`. */
const COUNT_FIELD = /^(products|orders):(\d+)$/;

/** Changed fields whose names only this area shows. More about them: test/management/audit-names.unit.test.ts. */
type OwnFieldName =
  | ChangedName<typeof apiKeysFields>
  | ChangedName<typeof inventoryFields>
  | ChangedName<typeof membersFields>
  | ChangedName<typeof messageSettingsFields>
  | ChangedName<typeof organizationsFields>
  | ChangedName<typeof shopsFields>
  | ChangedName<typeof staffAccountsFields>
  | ChangedName<typeof subscriptionsFields>;

/** The texts of changed fields. An unknown field stays as it is. `shop:` with an id becomes the shop's name. */
export function fieldTexts(
  reader: Reader,
  fields: string[] | null,
  names: ReadonlyMap<string, string>,
  shippingOption: string | null = null,
): string[] {
  const shared = sharedMessages(reader);
  // This area's own texts come last: some are shorter than the shared ones.
  const own: Record<OwnFieldName, string> = messages(reader).fields;
  const products: Record<WrittenField, string> = shared.products.fields;
  const labels = { ...shared.orders.fields, ...products, ...own };
  return (fields ?? []).map((field) => {
    if (statusIn(field) !== null) return changedFieldText(reader, field, shippingOption);
    const [, kind, count = ''] = COUNT_FIELD.exec(field) ?? [];
    if (kind === 'products' || kind === 'orders') return messages(reader).counted[kind](count);
    if (!field.startsWith(SHOP_FIELD)) return textFor(labels, field);
    const shopId = field.slice(SHOP_FIELD.length);
    return `${shared.orders.shop} ${names.get(shopId) ?? shopId}`;
  });
}

function reasonText(code: string): string {
  const t = messages();
  const { orders, stockReasons } = sharedMessages();
  return textFor({ ...t.fields, ...orders.unpaidReasons, ...orders.reasons, ...stockReasons, ...t.reasons }, code);
}

/** The actions after which their target has no page. */
const GONE: readonly AuditAction[] = [
  'order.deleted',
  'order_request.deleted',
  'subscription.deleted',
  'product.removed',
  'shop.deleted',
];

/** The path of the page about a target, by the kind of the target. For members and keys, it is their list. */
const PAGES: { [Kind in AuditKind]?: (id: string) => string } = {
  order: orderPath,
  order_request: requestPath,
  product: productPath,
  member: () => MEMBERS,
  key: () => KEYS,
  shop: shopPath,
  organization: () => ORGANIZATION,
};

/** The path of the page about an action's target; undefined if there is no such page. */
function pathOfThing(log: AuditLog, { action, entityId }: LoggedAct): string | undefined {
  if (GONE.includes(action) || log.goneIds.has(entityId)) return undefined;
  const kind = kindOf(action);
  if (kind === 'payment' || kind === 'prescription') return pathOfOwner(log, entityId);
  if (kind === 'subscription') return pathOfSubscription(log, action, entityId);
  return kind && PAGES[kind]?.(entityId);
}

/**
 * The path of the page that shows a payment link or prescription: the page of its order or, if it has none, its
 * request.
 */
function pathOfOwner({ orderIds, requestIds }: AuditLog, id: string): string | undefined {
  const [orderId, requestId] = [orderIds.get(id), requestIds.get(id)];
  if (orderId !== undefined) return orderPath(orderId);
  return requestId === undefined ? undefined : requestPath(requestId);
}

function pathOfSubscription({ subscriptionIds, goneIds }: AuditLog, action: string, id: string): string | undefined {
  if (!action.startsWith('delivery.')) return `${WEBHOOKS}/${id}`;
  const subscriptionId = subscriptionIds.get(id);
  if (subscriptionId === undefined || goneIds.has(subscriptionId)) return undefined;
  return `${WEBHOOKS}/${subscriptionId}/deliveries/${id}`;
}
