import { vi } from 'vitest';
import { callApi, type OrganizationApi, openOrganizationApi, succeeded } from './organization';
import { captureLogs } from './probe';
import { ONE_DATABASE } from './world';

export interface Cost {
  roundTrips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

/** What one call cost, as its log line says. */
export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const { requests } = captureLogs();
  try {
    await work();
    const line = requests().at(-1) ?? {};
    return {
      roundTrips: Number(line.d1_round_trips),
      statements: Number(line.d1_statements),
      rowsRead: Number(line.d1_rows_read),
      rowsWritten: Number(line.d1_rows_written),
    };
  } finally {
    vi.restoreAllMocks();
  }
}

/**
 * An organization whose calls come to a deployment with one database, for what its statements are counted in. What several
 * databases cost beside that stands in test/directory/budget.test.ts.
 */
export async function openBudgeted(): Promise<OrganizationApi> {
  return { ...(await openOrganizationApi()), env: ONE_DATABASE };
}

/** The key's state is in the isolate's cache from here on. */
export async function warm(api: OrganizationApi): Promise<void> {
  succeeded(await callApi(api, 'GET', '/shops'));
}
