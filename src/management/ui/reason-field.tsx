import { REASON_CODES } from '../../orders/service';
import type { FieldErrors } from './form-errors';
import { sharedMessages } from './messages';
import type { View } from './view';

interface ReasonProps {
  view: View;
  label: string;
  value?: string;
  fieldErrors?: FieldErrors;
}

/** Why a request is rejected or an order is cancelled, by the codes that the platform learns; `r` leads here. */
export function ReasonField({ view, label, value, fieldErrors = {} }: ReasonProps) {
  const shared = sharedMessages(view);
  const fault = fieldErrors.reason_code;
  return (
    <div class={fault ? 'field wrong' : 'field'}>
      <label for="reason_code">{label}</label>
      {fault && (
        <p class="fault" id="reason_code-fault">
          {fault}
        </p>
      )}
      <select
        id="reason_code"
        name="reason_code"
        data-key="r"
        aria-keyshortcuts={view.hasShortcuts ? 'r' : undefined}
        aria-invalid={fault ? 'true' : undefined}
        aria-describedby={fault && 'reason_code-fault'}
      >
        <option value="">{shared.orders.choose}</option>
        {REASON_CODES.map((code) => (
          <option value={code} selected={code === value}>
            {shared.orders.reasons[code]}
          </option>
        ))}
      </select>
    </div>
  );
}
