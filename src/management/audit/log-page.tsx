import { AUDIT_KINDS, AUDIT_PARTS, kindOf } from '../../audit/service';
import type { AuditLog, LoggedAct } from '../../reports/service';
import { AUDIT } from '../http/paths';
import { actorText } from '../ui/actor';
import { DateFields, type DateFilter, dateQuery } from '../ui/date-filter';
import { FilterSelect } from '../ui/filters';
import { dayHeading, shortIdOf } from '../ui/format';
import { Icon } from '../ui/icons';
import { Page, Second } from '../ui/layout';
import { ListFilters } from '../ui/list-filters';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { Bench, Tabs } from '../ui/tabs';
import type { View } from '../ui/view';
import { fieldTexts, reasonText, sentenceOf } from './labels';
import { pathOfThing } from './links';
import { messages } from './messages';

/** Kinds of actors that are neither a person nor a key. */
const NAMELESS = ['operator', 'system'] as const;

export const TABS = [...AUDIT_PARTS, 'all'] as const;
export type AuditTab = (typeof TABS)[number];

/** The filter as the URL's query holds it; an empty text does not filter. */
export interface AuditQuery {
  tab: AuditTab;
  q: string;
  kind: string;
  actor: string;
  entity: string;
  before: string;
}

interface AuditProps {
  view: View;
  query: AuditQuery;
  dates: DateFilter;
  log: AuditLog;
}

export function AuditPage({ view, query, dates, log }: AuditProps) {
  const t = messages(view);
  const { common, nav } = sharedMessages(view);
  const isFiltered = [query.q, query.kind, query.actor, query.entity, dates.when ?? ''].some((text) => text !== '');
  const path = (changed: Partial<AuditQuery>, file?: string) =>
    auditPath({ ...query, before: '', ...changed }, dates, file);
  const page = { view, query, dates, log, path };
  return (
    <Page
      view={view}
      title={nav.audit}
      fieldErrors={dates.fieldErrors}
      lead={t.lead}
      acts={
        <a class="button ghost" href={path({}, `${AUDIT}/export.csv`)}>
          <Icon name="download" />
          CSV
        </a>
      }
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
          <a href={AUDIT}>{t.resetFilter}</a>
        </p>
      )}
      {log.rows.length > 0 && <LogTable {...page} />}
      {log.rows.length === 0 && <Empty view={view} isFiltered={isFiltered} hasMore={log.lookBefore !== undefined} />}
      <p class="pager">
        {query.before && <a href={path({})}>{common.newest}</a>}
        {log.nextBefore !== undefined && (
          <a rel="next" class="button" href={path({ before: log.nextBefore })}>
            {common.older}
          </a>
        )}
        {log.lookBefore !== undefined && (
          <a rel="next" class="button" href={path({ before: log.lookBefore })}>
            {t.lookFurther}
          </a>
        )}
        {query.tab === 'decisions' && <span>{t.hidden}</span>}
      </p>
    </Page>
  );
}

type PartProps = AuditProps & { path: (changed: Partial<AuditQuery>) => string };

function Filters({ view, query, dates, log, isFiltered }: PartProps & { isFiltered: boolean }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <ListFilters
      view={view}
      action={AUDIT}
      hidden={{ tab: query.tab, entity: query.entity }}
      search={{ label: t.search, placeholder: t.searchHint, value: query.q }}
      isFiltered={isFiltered}
    >
      <FilterSelect
        name="actor"
        label={common.who}
        all={t.everybody}
        options={actorsToChoose(view, query.actor, log)}
        value={query.actor}
      />
      <FilterSelect
        name="kind"
        label={common.kind}
        all={t.allKinds}
        options={AUDIT_KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] }))}
        value={query.kind}
      />
      <DateFields view={view} filter={dates} />
    </ListFilters>
  );
}

/**
 * Members, keys, the kinds of actors that have no name, and the chosen actor even when it is none of these any more
 * (its access ended).
 */
function actorsToChoose(view: View, chosen: string, { team, keys, names }: AuditLog) {
  const t = messages(view);
  const listed = [
    ...team.map(({ id, name }) => ({ value: id, label: name })),
    ...keys.map(({ id, name }) => ({ value: id, label: `${t.key} ${name}` })),
    ...NAMELESS.map((kind) => ({ value: kind, label: sharedMessages(view).actors[kind] })),
  ];
  if (chosen === '' || listed.some(({ value }) => value === chosen)) return listed;
  return [...listed, { value: chosen, label: names.get(chosen) ?? shortIdOf(chosen) }];
}

type ActProps = PartProps & { act: LoggedAct };

function LogTable(props: PartProps) {
  const { view, log } = props;
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <Table
      class="rows brief log"
      rows={log.rows}
      groupOf={({ at }) => dayHeading(view.language, at, view.now)}
      columns={[
        { label: common.time, class: 'age', cell: ({ at }) => <Second view={view} at={at} now={at} /> },
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

/** Links to the log filtered by this actor. */
function Who({ view, log, act, path }: ActProps) {
  const by = act.actorKind === 'operator' ? act.actorKind : (act.actorId ?? act.actorKind);
  const text = actorText(view, act, log.names);
  return (
    <a class="ink" href={path({ actor: by })} title={text}>
      <bdi>{text}</bdi>
    </a>
  );
}

/** What was changed, and why. The log holds names of fields and codes alone. */
function detailsOf({ view, log }: PartProps, act: LoggedAct): string {
  const fields = fieldTexts(view, act.fields, log.names).join(', ');
  if (act.reasonCode === null) return fields;
  const reason = reasonText(view, act.reasonCode);
  // How a prescription was checked is no reason.
  const isHow = act.action === 'prescription.approved';
  return [fields, isHow ? reason : `${sharedMessages(view).common.reason}: ${reason}`].filter(Boolean).join(' · ');
}

/** Links to the target's page and to the log filtered by this target. */
function Thing({ view, query, log, act }: ActProps) {
  const page = pathOfThing(log, act);
  const known = kindOf(act.action) === 'organization' ? view.session?.organizationName : log.names.get(act.entityId);
  const name = <bdi>{known ?? shortIdOf(act.entityId)}</bdi>;
  return (
    <span class="thing">
      {page === undefined ? name : <a href={page}>{name}</a>}
      {query.entity === '' && (
        <a class="beside" href={`${AUDIT}?entity=${encodeURIComponent(act.entityId)}`}>
          {sharedMessages(view).common.history}
        </a>
      )}
    </span>
  );
}

function Empty({ view, isFiltered, hasMore }: { view: View; isFiltered: boolean; hasMore: boolean }) {
  const t = messages(view);
  return (
    <Panel title={isFiltered || hasMore ? t.noneTitle : t.emptyTitle} isWide>
      <p class="quiet">{hasMore ? t.noneSoFar : isFiltered ? t.none : t.empty}</p>
    </Panel>
  );
}

/** The log's own URL. It holds the whole filter, so it can be bookmarked and passed on. */
export function auditPath(query: AuditQuery, dates: DateFilter, path = AUDIT): string {
  const all = { ...query, ...dateQuery(dates) };
  const params = Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return `${path}?${new URLSearchParams(params)}`;
}
