import type { FoundProduct } from '../../inventory/service';
import type { Review } from '../../order-requests/service';
import type { FieldErrors } from '../ui/form-errors';
import type { View } from '../ui/view';
import type { TypedLine } from './lines';

/** What a refused form had in it, and why it was refused. */
export interface ReviewState {
  fieldErrors?: FieldErrors;
  lines?: TypedLine[];
  overrideReason?: string;
  reasonCode?: string;
  rejectNote?: string;
  infoNote?: string;
  /** A search for a line's product. */
  picking?: Picking;
  /** Instead of what stands in the way of the submitted lines. */
  blockers?: Review['blockers'];
  /** The lines were looked at, not decided on: the focus goes there. */
  isChecked?: boolean;
  /** What happened meanwhile. */
  conflict?: string;
}

export interface ReviewProps {
  view: View;
  review: Review;
  state: ReviewState;
}

/** What a search beside a line has found, or what was chosen from it. */
export interface Picking {
  row: number;
  found?: FoundProduct[];
  picked?: FoundProduct;
}
