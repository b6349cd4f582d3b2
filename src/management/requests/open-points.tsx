import type { Blocker } from '../../order-requests/service';
import { formatDate } from '../ui/format';
import { Mark } from '../ui/icons';
import { sharedMessages } from '../ui/messages';
import { blockerText, indexOf } from './findings';
import type { TypedLine } from './lines';
import { messages } from './messages';
import type { ReviewProps } from './review-state';

/** How many of a kind are named: the strip must not grow over the page. */
const NAMED_MAX = 5;

interface Point {
  text: string;
  href: string;
}

/** What is still open, above the decision: what blocks, and what has to be confirmed, each with a link to its place. */
export function OpenPoints(props: ReviewProps & { rows: readonly TypedLine[] }) {
  const { view, review, state } = props;
  const t = messages(view);
  // A reason that is given answers what it can.
  const standing = review.blockers.filter(({ overridable }) => !overridable || !state.override_reason);
  const points = (isAsked: boolean) =>
    distinct(standing.filter((each) => isQuestion(each) === isAsked).map((each) => pointOf(props, each)));
  // A prescription that waits for its tick is as it should be.
  const obstacles = points(false).filter(({ href }) => href !== '');
  const questions = points(true);
  const expired = standing.find(({ code }) => code === 'prescription_expired');
  return (
    <div class="open" id="open" data-checked={t.unchecked}>
      {obstacles.length > 0 && (
        <div class="bad hard">
          <Mark name="blocked" />
          <strong>{t.obstacles(obstacles.length)}</strong>
          <Links points={obstacles} more={t.more} />
          {standing.some(({ overridable }) => overridable) && <a href="#override_reason">{t.withReason}</a>}
          {expired && <a href="#info_note">{t.askForNew}</a>}
        </div>
      )}
      {questions.length > 0 && (
        <div class="wait">
          <Mark name="look" />
          <strong>{t.toAcknowledge(questions.length)}</strong>
          <Links points={questions} more={t.more} />
        </div>
      )}
    </div>
  );
}

function Links({ points, more }: { points: readonly Point[]; more: (count: number) => string }) {
  const rest = points.length - NAMED_MAX;
  return (
    <>
      {points.slice(0, NAMED_MAX).map(({ text, href }) => (
        <a href={href}>{text}</a>
      ))}
      {rest > 0 && <span>{more(rest)}</span>}
    </>
  );
}

/** Answered by a tick or a choice. */
function isQuestion({ code }: Blocker): boolean {
  return code === 'difference' || code === 'payment_undecided';
}

/** Where it is solved; nowhere for a prescription that waits for its tick. */
function pointOf({ view, state, review, rows }: Parameters<typeof OpenPoints>[0], blocker: Blocker): Point {
  const t = messages(view);
  const said = blockerText(view, blocker.code, 'blockerShort');
  const atRow = (row: number, text: string) => ({ text: `${t.line(row + 1)}, ${text}`, href: `#line-${row}` });
  if (blocker.code === 'prescription_not_reviewed') return { text: said, href: '' };
  if (blocker.code === 'payment_undecided') return { text: sharedMessages(view).orders.payment, href: '#payment' };
  if (blocker.code === 'prescription_expired') {
    return {
      text: `${said} (${formatDate(view.language, Date.parse(blocker.issuedOn))})`,
      href: `#issued-${blocker.prescriptionId}`,
    };
  }
  if ('p1Id' in blocker) {
    const row = rows.findIndex(({ productId }) => productId === blocker.p1Id);
    return row < 0 ? { text: said, href: '#items' } : atRow(row, said);
  }
  if ('pointer' in blocker) {
    const place = indexOf(blocker.pointer);
    const text = blocker.code === 'difference' ? t.differences[blocker.difference.code] : said;
    return atRow(state.rows?.[place] ?? place, text);
  }
  if (blocker.code === 'prescription_missing') {
    const lines = review.lines.flatMap((line, place) =>
      line.prescriptionRequired ? [t.line((state.rows?.[place] ?? place) + 1)] : [],
    );
    return { text: `${said}: ${lines.slice(0, NAMED_MAX).join(', ')}`, href: '#prescription' };
  }
  if (blocker.code === 'no_lines') return { text: said, href: '#items' };
  return { text: said, href: blocker.overridable ? '#override_reason' : '#prescription' };
}

/** A line with two differences is named once for each word, and never twice with the same. */
function distinct(points: readonly Point[]): Point[] {
  return [...new Map(points.map((point) => [point.href + point.text, point])).values()];
}
