import { type Service, withService } from '../test/node/support/service.ts';

/**
 * Starts a service with data of its own for as long as the work of a command takes, so that the developer's service is not
 * affected. Ctrl+C ends both.
 */
export function withOwnService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  // Exits by itself, so that the service ends too.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return withService(work);
}
