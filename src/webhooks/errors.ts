import { AppError, notFound } from '../platform/errors/errors';

/** Returns the subscription unless it is undefined. @throws AppError `subscription_not_found` */
export function requireSubscription<T>(subscription: T | undefined): T {
  if (subscription === undefined) throw notFound('subscription_not_found');
  return subscription;
}

export function changedMeanwhile(): AppError {
  return new AppError(
    'subscription_changed',
    'Somebody else changed the subscription in the meantime. Reload it first.',
  );
}

export function notRedeliverable(): AppError {
  return new AppError(
    'not_redeliverable',
    'Only ended deliveries of an active subscription can be redelivered, or one that is held because its receiver fails, while no other is tried and the receiver did not ask to wait.',
  );
}
