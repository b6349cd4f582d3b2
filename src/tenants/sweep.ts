import { sweepEntries } from '../directory/service';
import type { Context } from '../platform/context';
import { activeHosts, existingOrganizations } from './entries';

export { checkHosts } from './domain-check';

/** Deletes what the directory has of organizations and hosts that are not there. */
export async function sweepTenantEntries(ctx: Context): Promise<void> {
  await sweepEntries(ctx, 'host', activeHosts);
  await sweepEntries(ctx, 'organization', existingOrganizations);
}
