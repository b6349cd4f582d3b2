import { TEXT_MAX } from '../../orders/limits';
import { TRACKING_URL } from '../../orders/service';
import { URL_LENGTH_MAX } from '../../platform/limits';
import type { ManageContext } from '../http/env';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { leavingMessages } from './leaving-messages';
import { shownField, type TrackingField } from './tracking';

/**
 * The fields of a parcel that somebody changed, as they were typed, what is wrong with them, and what they change: a program may have
 * written the others since the page was made.
 */
export function readTracking(c: ManageContext) {
  const { form } = c.var;
  const asTyped = (name: TrackingField) => {
    const text = form.text(name);
    return text === form.text(shownField(name)) ? undefined : text;
  };
  const [carrier, number, url] = [asTyped('carrier'), asTyped('tracking_number'), asTyped('tracking_url')];
  const { text_too_long } = sharedMessages(c.var).fieldErrors;
  const isUrlWrong = !!url && (url.length > URL_LENGTH_MAX || !TRACKING_URL.test(url));
  const fieldErrors: FieldErrors = {
    ...((carrier?.length ?? 0) > TEXT_MAX && { carrier: text_too_long }),
    ...((number?.length ?? 0) > TEXT_MAX && { tracking_number: text_too_long }),
    ...(isUrlWrong && { tracking_url: leavingMessages(c.var).trackingUrlWrong }),
  };
  const written = (text: string | undefined) => (text === '' ? null : text);
  return {
    typed: { carrier, tracking_number: number, tracking_url: url },
    fieldErrors,
    patch: { carrier: written(carrier), trackingNumber: written(number), trackingUrl: written(url) },
  };
}
