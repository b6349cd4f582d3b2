import { AUDIT_KINDS, kindOf } from '../../audit/service';
import type { AuditLog, LoggedAct } from '../../reports/service';
import { AUDIT } from '../http/paths';
import { ErrorSummary } from '../ui/fields';
import { DayField, FilterSelect } from '../ui/filters';
import type { FieldErrors } from '../ui/form-errors';
import { formatSecond, isoTime, shortIdOf } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { actorText, fieldTexts, reasonText, sentenceOf } from './labels';
import { pathOfThing } from './links';
import { messages } from './messages';

/** Kinds of actors that are neither a person nor a key. */
const NAMELESS = ['operator', 'system'] as const;

/** The filter as the URL's query holds it; an empty text does not filter. */
export interface AuditQuery {
  kind: string;
  actor: string;
  entity: string;
  from: string;
  to: string;
  before: string;
}

interface AuditProps {
  view: View;
  query: AuditQuery;
  fieldErrors: FieldErrors;
  log: AuditLog;
}

export function AuditPage({ view, query, fieldErrors, log }: AuditProps) {
  const t = messages(view);
  const { common, nav } = sharedMessages(view);
  const isFiltered = Object.entries(query).some(([name, value]) => name !== 'before' && value !== '');
  return (
    <Page view={view} title={nav.audit}>
      <p class="quiet">{t.lead}</p>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      <Filter {...{ view, query, fieldErrors, log, isFiltered }} />
      {log.rows.length > 0 && <LogTable {...{ view, query, log }} />}
      {log.rows.length === 0 && <Empty view={view} isFiltered={isFiltered} hasMore={log.lookBefore !== undefined} />}
      <p class="pager">
        {query.before && <a href={auditPath({ ...query, before: '' })}>{common.newest}</a>}
        {log.nextBefore !== undefined && (
          <a rel="next" href={auditPath({ ...query, before: log.nextBefore })}>
            {common.older}
          </a>
        )}
        {log.lookBefore !== undefined && (
          <a rel="next" href={auditPath({ ...query, before: log.lookBefore })}>
            {t.lookFurther}
          </a>
        )}
      </p>
    </Page>
  );
}

function Filter({ view, query, fieldErrors, log, isFiltered }: AuditProps & { isFiltered: boolean }) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <>
      <form method="get" action={AUDIT} class="filters">
        {query.entity && <input type="hidden" name="entity" value={query.entity} />}
        <FilterSelect
          name="kind"
          label={common.kind}
          all={t.allKinds}
          options={AUDIT_KINDS.map((kind) => ({ value: kind, label: t.kinds[kind] }))}
          value={query.kind}
        />
        <FilterSelect
          name="actor"
          label={common.who}
          all={t.everybody}
          options={actorsToChoose(view, query.actor, log)}
          value={query.actor}
        />
        <DayField name="from" label={common.from} value={query.from} fieldErrors={fieldErrors} />
        <DayField name="to" label={common.to} value={query.to} fieldErrors={fieldErrors} />
        <button type="submit">{common.show}</button>
      </form>
      <p class="pager">
        {isFiltered && <a href={AUDIT}>{t.resetFilter}</a>}
        {query.entity && (
          <span class="quiet">
            {t.onlyAbout} <code>{query.entity}</code>
          </span>
        )}
        <a href={auditPath({ ...query, before: '' }, `${AUDIT}/export.csv`)}>{t.export}</a>
      </p>
    </>
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
    ...NAMELESS.map((kind) => ({ value: kind, label: t.actors[kind] })),
  ];
  if (chosen === '' || listed.some(({ value }) => value === chosen)) return listed;
  return [...listed, { value: chosen, label: names.get(chosen) ?? shortIdOf(chosen) }];
}

type LogProps = Pick<AuditProps, 'view' | 'query' | 'log'>;
type ActProps = LogProps & { act: LoggedAct };

function LogTable(props: LogProps) {
  const { view, log } = props;
  const t = messages(view);
  const { common } = sharedMessages(view);
  return (
    <Table
      class="log"
      rows={log.rows}
      columns={[
        { label: common.time, cellClass: 'day', cell: ({ at }) => <Second view={view} at={at} /> },
        { label: common.who, cell: (act) => <Who {...props} act={act} /> },
        { label: t.what, cell: ({ action }) => sentenceOf(view, action) },
        { label: t.thing, cell: (act) => <Thing {...props} act={act} /> },
        { label: t.details, cell: (act) => <Details {...props} act={act} /> },
      ]}
    />
  );
}

function Second({ view, at }: { view: View; at: number }) {
  return (
    <time datetime={isoTime(at)} title={isoTime(at)}>
      {formatSecond(view.language, at)}
    </time>
  );
}

/** Links to the log filtered by this actor. */
function Who({ view, query, log, act }: ActProps) {
  const by = act.actorKind === 'operator' ? act.actorKind : (act.actorId ?? act.actorKind);
  return (
    <>
      <a class="ink" href={auditPath({ ...query, actor: by, before: '' })}>
        <bdi>{actorText(view, act, log.names)}</bdi>
      </a>
      {act.actorKind === 'api_key' && <span class="quiet">{` · ${messages(view).actors.api_key}`}</span>}
    </>
  );
}

function Details({ view, log, act }: ActProps) {
  const fields = fieldTexts(view, act.fields, log.names);
  const { reason } = sharedMessages(view).common;
  return (
    <>
      {fields.join(', ')}
      {act.reasonCode !== null && (
        <span class="quiet">{`${fields.length > 0 ? ' · ' : ''}${reason}: ${reasonText(view, act.reasonCode)}`}</span>
      )}
    </>
  );
}

/** Links to the target's page and to the log filtered by this target. */
function Thing({ view, query, log, act }: ActProps) {
  const path = pathOfThing(log, act);
  const known = kindOf(act.action) === 'organization' ? view.session?.organizationName : log.names.get(act.entityId);
  const name = <bdi>{known ?? shortIdOf(act.entityId)}</bdi>;
  return (
    <>
      {path === undefined ? name : <a href={path}>{name}</a>}
      {query.entity === '' && (
        <a class="beside" href={auditPath({ ...query, entity: act.entityId, before: '' })}>
          {sharedMessages(view).common.history}
        </a>
      )}
    </>
  );
}

function Empty({ view, isFiltered, hasMore }: { view: View; isFiltered: boolean; hasMore: boolean }) {
  const t = messages(view);
  return (
    <Panel title={isFiltered ? t.noneTitle : t.emptyTitle} isWide>
      <p class="quiet">{hasMore ? t.noneSoFar : isFiltered ? t.none : t.empty}</p>
    </Panel>
  );
}

/** The log's own URL. It holds the whole filter, so it can be bookmarked and passed on. */
export function auditPath(query: Partial<AuditQuery>, path = AUDIT): string {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return params.size === 0 ? path : `${path}?${params}`;
}
