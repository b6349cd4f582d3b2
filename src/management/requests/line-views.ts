import type { OrderableProduct } from '../../inventory/service';
import type { LineDifference, RequestItem, Review } from '../../order-requests/service';
import type { Language } from '../http/language';
import { indexOf } from './findings';
import { EMPTY_LINE, linesOf, type TypedLine, withSpare } from './lines';
import type { ReviewState } from './review-state';

type Blocker = Review['blockers'][number];

/** A line of a request as its page shows it: what is typed, and what is known of that. */
export interface LineView {
  /** Its place in the form, counted from 0. */
  row: number;
  typed: TypedLine;
  /** The submitted item; undefined for a line that the pharmacy added. */
  asked: RequestItem | undefined;
  /** As it will be approved; undefined where it will not. */
  line: Review['lines'][number] | undefined;
  product: OrderableProduct | undefined;
  differences: LineDifference[];
  /** What stands in its way. */
  hindrances: Blocker[];
}

/** The lines of a request that waits: the empty one for another item comes last. */
export function lineViews(review: Review, state: ReviewState, language: Language): LineView[] {
  const { request, products } = review;
  return withSpare(state.lines ?? linesOf(review, language)).map((typed, row) => {
    const place = state.rows ? state.rows.indexOf(row) : row;
    const line = review.lines[place];
    return {
      row,
      typed,
      asked: request.items[row],
      line,
      product: products.get(typed.productId) ?? products.get(line?.p1Id ?? ''),
      differences: review.differences.filter((each) => each.line === place),
      hindrances: line === undefined ? [] : review.blockers.filter((each) => isAbout(each, line, place)),
    };
  });
}

/** The lines of a request that is decided. */
export function decidedViews({ lines, products }: Review): LineView[] {
  return lines.map((line, row) => ({
    row,
    typed: EMPTY_LINE,
    asked: undefined,
    line,
    product: products.get(line.p1Id ?? ''),
    differences: [],
    hindrances: [],
  }));
}

/** Obstacles that stand at each line that needs a prescription. */
const OF_PRESCRIBED: readonly Blocker['code'][] = ['prescription_missing', 'prescription_expired'];

function isAbout(blocker: Blocker, line: Review['lines'][number], place: number): boolean {
  if (blocker.code === 'difference') return false;
  if (OF_PRESCRIBED.includes(blocker.code)) return line.prescriptionRequired;
  if ('p1Id' in blocker) return blocker.p1Id === line.p1Id;
  return 'pointer' in blocker && indexOf(blocker.pointer) === place;
}

/** What was asked for by this name. */
export function askedName({ asked, typed, line }: LineView, { products }: Pick<Review, 'products'>): string {
  // Of a decided request the line has it.
  if (asked === undefined) return typed.productId === '' ? (line?.name ?? '') : '';
  const id = asked.p1Id ?? asked.productId ?? '';
  return asked.name ?? products.get(asked.p1Id ?? '')?.name ?? products.get(asked.productId ?? '')?.name ?? id;
}
