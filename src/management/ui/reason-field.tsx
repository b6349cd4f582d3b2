import { REASON_CODES, type ReasonCode } from '../../orders/service';
import { Labeled, Options } from './fields';
import type { FieldErrors } from './form-errors';
import { sharedMessages } from './messages';
import type { View } from './view';

interface ReasonProps {
  view: View;
  label: string;
  /** Those of this purpose, the usual first. */
  codes?: readonly ReasonCode[];
  value?: string;
  fieldErrors?: FieldErrors;
}

/** The reason for a rejection, cancellation or refund; the platform receives its code. The key `r` moves the focus here. */
export function ReasonField({ view, label, codes = REASON_CODES, value, fieldErrors = {} }: ReasonProps) {
  const { orders: t } = sharedMessages(view);
  const reasons = codes.map((code) => ({ value: code, label: t.reasons[code] }));
  return (
    <Labeled
      name="reason_code"
      label={label}
      error={fieldErrors.reason_code}
      control={(attributes) => (
        <select {...attributes} data-key="r" aria-keyshortcuts={view.hasShortcuts ? 'r' : undefined}>
          <Options options={reasons} value={value} none={t.choose} />
        </select>
      )}
    />
  );
}
