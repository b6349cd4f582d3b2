import type { Review } from '../order-requests/service';
import { Form } from './fields';
import { formatTime } from './format';
import { Chip } from './layout';
import { REQUESTS } from './requests-inbox';
import type { View } from './view';

interface PanelProps {
  view: View;
  review: Review;
}

/** The prescriptions of a request: the file itself for those who may see it, that there is one for everybody. */
export function PrescriptionPanel({ view, review }: PanelProps) {
  const words = view.words.requests;
  const { prescriptions } = review;
  return (
    <section class="panel">
      <h2>{words.prescription}</h2>
      {prescriptions.length === 0 && <p class="quiet">{words.noPrescription}</p>}
      {prescriptions.map((prescription) => (
        <OnePrescription view={view} review={review} prescription={prescription} />
      ))}
    </section>
  );
}

function OnePrescription({
  view,
  review,
  prescription,
}: PanelProps & { prescription: Review['prescriptions'][number] }) {
  const words = view.words.requests;
  const { id, status, approvedAt, signedAt } = prescription;
  const isStored = status === 'stored';
  const maySee = view.session !== undefined && view.session.role !== 'staff';
  const path = `/manage/prescriptions/${id}/pdf`;
  const act = `${REQUESTS}/${review.request.id}/prescriptions/${id}`;
  const tone = { stored: 'wait', fetching: 'wait', fetch_failed: 'bad', erased: 'quiet' } as const;
  return (
    <div class="prescription">
      <div class="facts">
        {isStored && approvedAt !== null ? (
          <Chip tone="good">{words.prescriptionApproved(formatTime(view.language, approvedAt))}</Chip>
        ) : (
          <Chip tone={tone[status]}>{isStored ? words.prescriptionToReview : words.prescriptionStates[status]}</Chip>
        )}
        {signedAt !== null && <Chip tone="good">{words.signatureChecked}</Chip>}
        {isStored && maySee && (
          <a href={path} target="_blank" rel="noopener">
            {words.newTab}
          </a>
        )}
        {isStored && maySee && approvedAt === null && (
          <Form view={view} action={`${act}/approve`}>
            <button type="submit">{words.approvePrescription}</button>
          </Form>
        )}
        {status === 'fetch_failed' && maySee && (
          <Form view={view} action={`${act}/fetch`}>
            <button type="submit">{words.fetchAgain}</button>
          </Form>
        )}
      </div>
      {isStored && maySee && <iframe class="pdf" src={path} title={words.prescription} loading="lazy"></iframe>}
      {isStored && !maySee && <p class="quiet">{words.prescriptionHidden}</p>}
    </div>
  );
}
