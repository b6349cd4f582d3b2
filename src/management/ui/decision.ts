import { AppError } from '../../platform/errors';

/**
 * Runs the decision of a button. A conflict (somebody else decided first, or an obstacle) is shown on the page.
 * @param refuse the page as it is by now, with why it was refused; null for an error that the page cannot explain
 * @param then answers once it is done
 * @throws whatever `refuse` gives no page for
 */
export async function submitDecision<T>(
  run: () => Promise<T>,
  refuse: (error: AppError) => Promise<Response> | null,
  then: (value: T) => Response | Promise<Response>,
): Promise<Response> {
  let value: T;
  try {
    value = await run();
  } catch (error) {
    const refused = error instanceof AppError ? refuse(error) : null;
    if (!refused) throw error;
    return refused;
  }
  return then(value);
}
