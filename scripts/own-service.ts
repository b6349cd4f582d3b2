import { type Service, withService } from '../test/node/support/service.ts';

/**
 * Starts a service with its own data while `work` runs, so that the developer's service is not affected. Ctrl+C ends
 * the work and the service.
 */
export function withOwnService<T>(work: (service: Service) => Promise<T>): Promise<T> {
  // The process exits by its own call, so that its exit handlers end the service.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  return withService(work);
}
