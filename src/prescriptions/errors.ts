import { AppError } from '../platform/errors';
import type { PrescriptionRow } from './store';

export class PrescriptionNotStored extends AppError {
  /** @param status where it stands instead */
  constructor(readonly status: PrescriptionRow['status']) {
    super('prescription_not_stored', 'The PDF of this prescription is not stored yet, or no longer.');
  }
}
