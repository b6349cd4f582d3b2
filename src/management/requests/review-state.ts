import type { Review } from '../../order-requests/service';
import type { FieldErrors } from '../ui/form-errors';
import type { View } from '../ui/view';
import type { TypedForm } from './typed-form';

/** The typed values of a refused form and the reasons for the refusal. */
export interface ReviewState extends Partial<TypedForm> {
  fieldErrors?: FieldErrors;
  /** Which row each line of the review is: empty ones are none. */
  rows?: readonly number[];
  /** The row of a product that was just added. */
  added?: number;
  /** The lines were only checked, not decided on; the focus goes to the result. */
  isChecked?: boolean;
  /** The prescription has the wider pane. */
  isWide?: boolean;
  /** A change by somebody else in the meantime. */
  conflict?: string;
}

export interface ReviewProps {
  view: View;
  review: Review;
  state: ReviewState;
}
