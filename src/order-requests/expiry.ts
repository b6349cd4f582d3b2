import { DAY_MS } from '../platform/time';
import { EXPIRES_DAYS, EXPIRY_NOTICE_DAYS } from './limits';
import type { RequestRow } from './store';

/**
 * When a pending request expires, in epoch ms. Null if it is not pending, is paid, or has an open question: then it
 * does not expire. The SQL of `selectExpired` (store.ts) must agree.
 */
export function expiresAt(of: Pick<RequestRow, 'status' | 'needsInfo' | 'paymentStatus' | 'createdAt' | 'updatedAt'>) {
  if (of.status !== 'pending' || of.needsInfo || of.paymentStatus === 'paid') return null;
  return Math.max(of.createdAt + EXPIRES_DAYS * DAY_MS, of.updatedAt + EXPIRY_NOTICE_DAYS * DAY_MS);
}

/**
 * Whether a pending request would have expired if it were not paid. Staff must then approve the request or refund the
 * money.
 */
export function asksForRefund(of: Pick<RequestRow, 'status' | 'paymentStatus' | 'createdAt'>, now: number): boolean {
  return of.status === 'pending' && of.paymentStatus === 'paid' && of.createdAt + EXPIRES_DAYS * DAY_MS <= now;
}
