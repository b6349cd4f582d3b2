import { TEXT_MAX } from '../../orders/limits';
import { TRACKING_URL } from '../../orders/service';
import { URL_LENGTH_MAX } from '../../platform/limits';
import type { ManageContext } from '../http/env';
import type { FieldErrors } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { leavingMessages } from './leaving-messages';

/** The fields of a parcel as they were typed, what is wrong with them, and what they change. */
export function readTracking(c: ManageContext) {
  const typed = c.var.form.texts('carrier', 'tracking_number', 'tracking_url');
  const { text_too_long } = sharedMessages(c.var).fieldErrors;
  const { carrier, tracking_number: number, tracking_url: url } = typed;
  const isUrlWrong = url !== '' && (url.length > URL_LENGTH_MAX || !TRACKING_URL.test(url));
  const fieldErrors: FieldErrors = {
    ...(carrier.length > TEXT_MAX && { carrier: text_too_long }),
    ...(number.length > TEXT_MAX && { tracking_number: text_too_long }),
    ...(isUrlWrong && { tracking_url: leavingMessages(c.var).trackingUrlWrong }),
  };
  return {
    typed,
    fieldErrors,
    patch: { carrier: carrier || null, trackingNumber: number || null, trackingUrl: url || null },
  };
}
