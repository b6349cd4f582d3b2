import { inOrganization } from '../../../directory/service';
import type { Context } from '../../../platform/context';

const ORG_ID = /^[0-9a-f-]{36}$/;

/**
 * A token that says to which organization it belongs, so that its database is known before anything is read there. The id is
 * only a way: what is stored is a hash of the whole token, so with the id of another organization it is found nowhere.
 * @returns `<organization's id>.<secret>`
 */
export function tokenOf(orgId: string, secret: string): string {
  return `${orgId}.${secret}`;
}

/** The organization that a token names; any text if the token is not one of this service's. */
export function orgIdOf(token: string): string {
  return token.split('.')[0] ?? '';
}

/** The context on the database of a token's organization; null for text that cannot be a token, without a round trip. */
export async function atToken(ctx: Context, token: string): Promise<Context | null> {
  const orgId = orgIdOf(token);
  return ORG_ID.test(orgId) ? inOrganization(ctx, orgId) : null;
}
