import type { Review } from '../../order-requests/service';
import { requestPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import { formatMoney } from '../ui/format';
import { ReasonField } from '../ui/reason-field';
import type { View } from '../ui/view';
import { LineRow } from './line-row';
import { linesOf, totalOf } from './lines';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

/** The form of the lines; buttons elsewhere on the page send it too. */
export const LINES_FORM = 'lines-form';

/** Form with the editable lines to approve and the page's only primary button. */
export function ApproveForm({ view, review, state, blockers }: ReviewProps & { blockers: Review['blockers'] }) {
  const t = messages(view);
  const rows = state.lines ?? linesOf(review, view.language);
  const asksReason = blockers.length > 0 && blockers.every(({ overridable }) => overridable);
  const fieldErrors = state.fieldErrors ?? {};
  const path = requestPath(review.request.id);
  return (
    <section class="panel">
      <h2>{t.linesTitle}</h2>
      <p class="hint">{t.linesHint}</p>
      <Form view={view} id={LINES_FORM} action={`${path}/approve`}>
        <input type="hidden" name="lines" value={String(rows.length)} />
        {rows.map((line, row) => (
          <LineRow
            view={view}
            review={review}
            line={line}
            row={row}
            fieldErrors={fieldErrors}
            picking={state.picking}
          />
        ))}
        <p class="number total" data-total tabindex={-1} data-focus={state.isChecked}>
          {t.linesTotal}: <strong>{formatMoney(view.language, totalOf(rows))}</strong>
        </p>
        <p>
          <button class="plain" type="submit" formaction={`${path}/check`}>
            {t.check}
          </button>
        </p>
        {(asksReason || state.overrideReason) && (
          <Field
            name="override_reason"
            label={t.override}
            hint={t.overrideHint}
            value={state.overrideReason}
            fieldErrors={fieldErrors}
            autocomplete="off"
          />
        )}
        <button class="primary" type="submit" data-key="a" aria-keyshortcuts={view.hasShortcuts ? 'a' : undefined}>
          {t.approve}
        </button>
      </Form>
    </section>
  );
}

/** The other decisions about a request; each form opens in place. */
export function OtherDecisions({ view, review, state }: ReviewProps) {
  const t = messages(view);
  const { request } = review;
  const path = requestPath(request.id);
  return (
    <section class="panel">
      {request.status === 'pending' && <RejectForm view={view} path={path} state={state} />}
      {request.status === 'pending' && (
        <details class="fold" open={state.fieldErrors?.info_note !== undefined}>
          <summary>{t.needsInfo}</summary>
          <Form view={view} action={`${path}/needs-info`} isGuarded>
            <Field
              name="info_note"
              label={t.infoNote}
              value={state.infoNote ?? request.needsInfoNote ?? ''}
              fieldErrors={state.fieldErrors}
              autocomplete="off"
              data-key="i"
            />
            <button type="submit">{t.saveInfo}</button>
          </Form>
        </details>
      )}
      {request.status === 'rejected' && (
        <Form view={view} action={`${path}/reopen`}>
          <button type="submit">{t.reopen}</button>
        </Form>
      )}
      {request.status !== 'approved' && (
        <p>
          <a href={`${path}/delete`}>{t.delete}</a>
        </p>
      )}
      {request.status === 'approved' && <p class="quiet">{t.approvedStays}</p>}
      {view.session?.role === 'owner' && (
        <p>
          <a href={`${path}/hold`}>{request.legalHold ? t.releaseHold : t.setHold}</a>
        </p>
      )}
    </section>
  );
}

function RejectForm({ view, path, state }: { view: View; path: string } & Pick<ReviewProps, 'state'>) {
  const t = messages(view);
  return (
    <details
      class="fold"
      open={state.fieldErrors?.reason_code !== undefined || state.fieldErrors?.reject_note !== undefined}
    >
      <summary>{t.reject}</summary>
      <Form view={view} action={`${path}/reject`} isGuarded>
        <ReasonField view={view} label={t.reason} value={state.reasonCode} fieldErrors={state.fieldErrors} />
        <Field
          name="reject_note"
          label={t.note}
          hint={t.rejectNoteHint}
          value={state.rejectNote}
          fieldErrors={state.fieldErrors}
          autocomplete="off"
        />
        <button class="danger" type="submit">
          {t.reject}
        </button>
      </Form>
    </details>
  );
}
