import type { OrderableProduct } from '../../inventory/service';
import type { Order, OrderDetail, PlannedSubstitution } from '../../orders/service';
import type { FormState } from '../ui/fields';
import type { View } from '../ui/view';
import type { ScanRefusal } from './refused-scan';

/** What the parts of an order's page show. */
export interface DetailProps {
  view: View;
  detail: OrderDetail;
}

/** What was typed into a form of the page and refused, and a scan that was. */
export interface OrderState extends FormState<'note' | 'withdrawal_reason'> {
  refused?: ScanRefusal;
}

/** What the form for another product was sent with. */
export type TypedExchange = FormState<'line' | 'q' | 'p1_id' | 'quantity' | 'reason'>;

export interface ExchangeProps {
  view: View;
  order: Order;
  /** The place of the line. */
  place: number;
  typed: TypedExchange;
  /** What the search found. */
  found: readonly OrderableProduct[];
  /** What the exchange for the chosen product would come to; null until one is chosen. */
  planned: PlannedSubstitution | null;
  acknowledged: readonly string[];
}
