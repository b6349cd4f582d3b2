import { NotPacked, PackExpired, WrongPack } from '../../orders/service';
import type { AppError } from '../../platform/errors';
import type { Reader } from '../http/language';
import { fieldErrorsOf } from '../ui/form-errors';
import { formatDate } from '../ui/format';
import { packingMessages } from './packing-messages';
import type { ScanRefusal } from './refused-scan';
import { REFUSALS } from './responses';

/** Why a scan was refused, with what is still open; null for what is no matter of scans. */
export function scanRefusal(reader: Reader, error: AppError): ScanRefusal | null {
  const t = packingMessages(reader);
  if (error instanceof PackExpired) {
    return { title: t.expired, text: t.expiredOn(formatDate(reader.language, Date.parse(error.expires))) };
  }
  if (error instanceof NotPacked) {
    const { packed, packs, open } = error.progress;
    return { title: t.notPacked, text: t.soFar(packed, packs), open };
  }
  if (error instanceof WrongPack) {
    const { scanned, isTooMany, orderNumber, progress } = error;
    const { open } = progress;
    return isTooMany
      ? { title: t.tooMany, scanned, text: t.isComplete, open }
      : { title: t.wrongPack, scanned, text: t.belongsNot(orderNumber), open };
  }
  const said = fieldErrorsOf(reader, { ...REFUSALS, ...SCAN_REFUSALS }, error);
  const [text] = Object.values(said ?? {});
  return text === undefined ? null : { title: t.notCounted, text };
}

const SCAN_REFUSALS = {
  unknown_code: 'code',
  pack_already_scanned: 'code',
  pack_already_left: 'code',
  not_being_packed: 'code',
  product_not_in_inventory: 'code',
  changed_meanwhile: 'code',
} as const;
