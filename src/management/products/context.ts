import { roleHolds } from '../../platform/access';
import { AppError, notFound } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { signedIn } from '../http/session';

/** The product id in the path. */
export function p1IdOf(c: ManageContext): string {
  return c.req.param('p1Id') ?? '';
}

/** Whether the person may change product data. Every role may change stock. */
export function mayEditProducts(c: ManageContext): boolean {
  return roleHolds(signedIn(c).role, 'products.write');
}

/** Runs a use case for a product that the organization may not hold (any more): its pages then answer 404. */
export async function ofStocked<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof AppError && error.code === 'product_not_in_inventory' ? notFound() : error;
  }
}
