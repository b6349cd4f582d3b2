import { AUDIT_KINDS, kindOf } from '../../audit/service';
import type { AuditLog, LoggedAct } from '../../reports/service';
import { AUDIT } from '../http/paths';
import { FaultSummary } from '../ui/fields';
import { DayField, FilterSelect } from '../ui/filters';
import type { Faults } from '../ui/form-errors';
import { formatSecond, shortIdOf } from '../ui/format';
import { Page } from '../ui/layout';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';
import { actorText, fieldTexts, reasonText, sentenceOf } from './labels';
import { pathOfThing } from './links';

/** Actors that are nobody in particular. */
const NAMELESS = ['operator', 'system'] as const;

/** The filter as the address carries it; empty texts filter nothing. */
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
  faults: Faults;
  log: AuditLog;
}

export function AuditPage({ view, query, faults, log }: AuditProps) {
  const words = view.words.audit;
  const isFiltered = Object.entries(query).some(([name, value]) => name !== 'before' && value !== '');
  return (
    <Page view={view} title={words.title}>
      <p class="quiet">{words.lead}</p>
      <FaultSummary view={view} faults={faults} />
      <Filter {...{ view, query, faults, log, isFiltered }} />
      {log.rows.length > 0 && <LogTable {...{ view, query, log }} />}
      {log.rows.length === 0 && <Empty view={view} isFiltered={isFiltered} goesOn={log.lookBefore !== undefined} />}
      <p class="pager">
        {query.before && <a href={auditPath({ ...query, before: '' })}>{words.newest}</a>}
        {log.nextBefore !== undefined && (
          <a rel="next" href={auditPath({ ...query, before: String(log.nextBefore) })}>
            {words.older}
          </a>
        )}
        {log.lookBefore !== undefined && (
          <a rel="next" href={auditPath({ ...query, before: String(log.lookBefore) })}>
            {words.lookFurther}
          </a>
        )}
      </p>
    </Page>
  );
}

function Filter({ view, query, faults, log, isFiltered }: AuditProps & { isFiltered: boolean }) {
  const words = view.words.audit;
  return (
    <>
      <form method="get" action={AUDIT} class="filters short">
        {query.entity && <input type="hidden" name="entity" value={query.entity} />}
        <FilterSelect
          name="kind"
          label={words.kind}
          all={words.allKinds}
          options={AUDIT_KINDS.map((kind) => ({ value: kind, label: words.kinds[kind] }))}
          value={query.kind}
        />
        <FilterSelect
          name="actor"
          label={words.who}
          all={words.everybody}
          options={actorsToChoose(view, query.actor, log)}
          value={query.actor}
        />
        <DayField name="from" label={words.from} value={query.from} faults={faults} />
        <DayField name="to" label={words.to} value={query.to} faults={faults} />
        <button type="submit">{words.filter}</button>
      </form>
      <p class="pager">
        {isFiltered && <a href={AUDIT}>{words.resetFilter}</a>}
        {query.entity && (
          <span class="quiet">
            {words.onlyAbout} <code>{query.entity}</code>
          </span>
        )}
        <a href={auditPath({ ...query, before: '' }, `${AUDIT}/export.csv`)}>{words.export}</a>
      </p>
    </>
  );
}

/** The team and the keys, those that are nobody, and whoever is chosen and not among them: somebody whose access ended. */
function actorsToChoose(view: View, chosen: string, { team, keys, names }: AuditLog) {
  const words = view.words.audit;
  const listed = [
    ...team.map(({ id, name }) => ({ value: id, label: name })),
    ...keys.map(({ id, name }) => ({ value: id, label: `${words.key} ${name}` })),
    ...NAMELESS.map((kind) => ({ value: kind, label: words.actors[kind] })),
  ];
  if (chosen === '' || listed.some(({ value }) => value === chosen)) return listed;
  return [...listed, { value: chosen, label: names.get(chosen) ?? shortIdOf(chosen) }];
}

function LogTable({ view, query, log }: Pick<AuditProps, 'view' | 'query' | 'log'>) {
  const words = view.words.audit;
  return (
    <table class="cards log">
      <Heads columns={[words.time, words.who, words.what, words.thing, words.details]} />
      <tbody>
        {log.rows.map((act) => (
          <LogRow {...{ view, query, log, act }} />
        ))}
      </tbody>
    </table>
  );
}

function LogRow({ view, query, log, act }: Pick<AuditProps, 'view' | 'query' | 'log'> & { act: LoggedAct }) {
  const words = view.words.audit;
  const by = act.actorId ?? act.actorKind;
  const fields = fieldTexts(view.words, act.fields, log.names);
  return (
    <tr>
      <td class="day" data-label={words.time}>
        <time datetime={new Date(act.at).toISOString()} title={new Date(act.at).toISOString()}>
          {formatSecond(view.language, act.at)}
        </time>
      </td>
      <td data-label={words.who}>
        <a class="ink" href={auditPath({ ...query, actor: by, before: '' })}>
          <bdi>{actorText(view.words, act, log.names)}</bdi>
        </a>
        {act.actorKind === 'api_key' && <span class="quiet">{` · ${words.actors.api_key}`}</span>}
      </td>
      <td data-label={words.what}>{sentenceOf(view.words, act.action)}</td>
      <td data-label={words.thing}>
        <Thing {...{ view, query, log, act }} />
      </td>
      <td data-label={words.details}>
        {fields.join(', ')}
        {act.reasonCode !== null && (
          <span class="quiet">
            {`${fields.length > 0 ? ' · ' : ''}${words.reason}: ${reasonText(view.words, act.reasonCode)}`}
          </span>
        )}
      </td>
    </tr>
  );
}

/** Leads to the thing's page, and beside it to everything that was done to it. */
function Thing({ view, query, log, act }: Pick<AuditProps, 'view' | 'query' | 'log'> & { act: LoggedAct }) {
  const words = view.words.audit;
  const path = pathOfThing(log, act);
  const known = kindOf(act.action) === 'organization' ? view.session?.organizationName : log.names.get(act.entityId);
  const name = <bdi>{known ?? shortIdOf(act.entityId)}</bdi>;
  return (
    <>
      {path === undefined ? name : <a href={path}>{name}</a>}
      {query.entity === '' && (
        <a class="beside" href={auditPath({ ...query, entity: act.entityId, before: '' })}>
          {words.history}
        </a>
      )}
    </>
  );
}

function Empty({ view, isFiltered, goesOn }: { view: View; isFiltered: boolean; goesOn: boolean }) {
  const words = view.words.audit;
  return (
    <section class="panel wide">
      <h2>{isFiltered ? words.noneTitle : words.emptyTitle}</h2>
      <p class="quiet">{goesOn ? words.noneSoFar : isFiltered ? words.none : words.empty}</p>
    </section>
  );
}

/** The log's own address: everything that it shows stands in it. */
export function auditPath(query: Partial<AuditQuery>, path = AUDIT): string {
  const params = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return params.size === 0 ? path : `${path}?${params}`;
}
