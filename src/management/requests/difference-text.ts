import type { Difference } from '../../order-requests/service';
import { formatMoney } from '../ui/format';
import type { View } from '../ui/view';
import { messages } from './messages';

/** A difference as a sentence that names both values. */
export function differenceText(view: Pick<View, 'language'>, difference: Difference): string {
  const t = messages(view);
  const what = t.differences[difference.code];
  switch (difference.code) {
    case 'price':
    case 'sent_price': {
      const [price, own] = difference.values.map((cents) => formatMoney(view.language, cents));
      return t.pricesDiffer(what, price ?? '', own ?? '');
    }
    case 'quantity': {
      const [asked, supplied] = difference.values;
      return t.differs(what, asked === null ? '–' : String(asked), String(supplied));
    }
    case 'total_amount': {
      const [asked, supplied] = difference.values.map(({ size, unit }) => `${size} ${t.units[unit]}`);
      return t.differs(what, asked ?? '', supplied ?? '');
    }
    default: {
      const [asked, supplied] = difference.values;
      return t.differs(what, asked ?? '–', supplied ?? '–');
    }
  }
}
