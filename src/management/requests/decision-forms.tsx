import type { Review } from '../../order-requests/service';
import { requestPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { LineRow } from './line-row';
import { linesOf, totalOf } from './lines';
import type { ReviewProps } from './review-state';

/** The lines to approve, as they can be changed, and the one primary button of the page. */
export function ApproveForm({ view, review, state, blockers }: ReviewProps & { blockers: Review['blockers'] }) {
  const words = view.words.requests;
  const rows = state.lines ?? linesOf(review, view.language);
  const asksReason = blockers.length > 0 && blockers.every(({ overridable }) => overridable);
  const faults = state.faults ?? {};
  const path = requestPath(review.request.id);
  return (
    <section class="panel">
      <h2>{words.linesTitle}</h2>
      <p class="hint">{words.linesHint}</p>
      <Form view={view} action={`${path}/approve`}>
        {/* Enter in a field takes a form's first button, and no Enter in a field decides. */}
        <button type="submit" hidden formaction={`${path}/check`}></button>
        <input type="hidden" name="lines" value={String(rows.length)} />
        {rows.map((line, row) => (
          <LineRow view={view} review={review} line={line} row={row} faults={faults} picking={state.picking} />
        ))}
        <p class="number total" data-total tabindex={-1} data-focus={state.isChecked}>
          {words.linesTotal}: <strong>{formatMoney(view.language, totalOf(rows))}</strong>
        </p>
        <p>
          <button class="plain" type="submit" formaction={`${path}/check`}>
            {words.check}
          </button>
        </p>
        {(asksReason || state.overrideReason) && (
          <Field
            name="override_reason"
            label={words.override}
            hint={words.overrideHint}
            value={state.overrideReason}
            faults={faults}
            autocomplete="off"
          />
        )}
        <button class="primary" type="submit" data-key="a" aria-keyshortcuts={view.hasShortcuts ? 'a' : undefined}>
          {words.approve}
        </button>
      </Form>
    </section>
  );
}

/** What else can be done with a request; each opens where it stands. */
export function OtherDecisions({ view, review, state }: ReviewProps) {
  const words = view.words.requests;
  const { request } = review;
  const path = requestPath(request.id);
  return (
    <section class="panel">
      {request.status === 'pending' && <RejectForm view={view} path={path} state={state} />}
      {request.status === 'pending' && (
        <details class="fold" open={state.faults?.info_note !== undefined}>
          <summary>{words.needsInfo}</summary>
          <Form view={view} action={`${path}/needs-info`} isGuarded>
            <Field
              name="info_note"
              label={words.infoNote}
              value={state.infoNote ?? request.needsInfoNote ?? ''}
              faults={state.faults}
              autocomplete="off"
              data-key="i"
            />
            <button type="submit">{words.saveInfo}</button>
          </Form>
        </details>
      )}
      {request.status === 'rejected' && (
        <Form view={view} action={`${path}/reopen`}>
          <button type="submit">{words.reopen}</button>
        </Form>
      )}
      {request.status !== 'approved' && (
        <p>
          <a href={`${path}/delete`}>{words.delete}</a>
        </p>
      )}
      {request.status === 'approved' && <p class="quiet">{words.approvedStays}</p>}
      {view.session?.role === 'owner' && (
        <p>
          <a href={`${path}/hold`}>{request.legalHold ? words.releaseHold : words.setHold}</a>
        </p>
      )}
    </section>
  );
}

function RejectForm({ view, path, state }: { view: View; path: string } & Pick<ReviewProps, 'state'>) {
  const words = view.words.requests;
  return (
    <details class="fold" open={state.faults?.reason_code !== undefined || state.faults?.reject_note !== undefined}>
      <summary>{words.reject}</summary>
      <Form view={view} action={`${path}/reject`} isGuarded>
        <ReasonField view={view} label={words.reason} value={state.reasonCode} faults={state.faults} />
        <Field
          name="reject_note"
          label={words.note}
          hint={words.rejectNoteHint}
          value={state.rejectNote}
          faults={state.faults}
          autocomplete="off"
        />
        <button class="danger" type="submit">
          {words.reject}
        </button>
      </Form>
    </details>
  );
}
