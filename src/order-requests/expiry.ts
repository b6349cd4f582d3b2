import { DAY_MS } from '../platform/time';
import { EXPIRES_DAYS, EXPIRY_NOTICE_DAYS } from './limits';
import type { RequestRow } from './store';

/** When a pending request expires, epoch ms; null while an open question halts it, and if it is paid. As `selectExpired` has it. */
export function expiresAt(of: Pick<RequestRow, 'status' | 'needsInfo' | 'paymentStatus' | 'createdAt' | 'updatedAt'>) {
  if (of.status !== 'pending' || of.needsInfo || of.paymentStatus === 'paid') return null;
  return Math.max(of.createdAt + EXPIRES_DAYS * DAY_MS, of.updatedAt + EXPIRY_NOTICE_DAYS * DAY_MS);
}

/** A pending request that is paid and would have expired: its money is to be refunded unless it is approved. */
export function asksForRefund(of: Pick<RequestRow, 'status' | 'paymentStatus' | 'createdAt'>, now: number): boolean {
  return of.status === 'pending' && of.paymentStatus === 'paid' && of.createdAt + EXPIRES_DAYS * DAY_MS <= now;
}
