import type { Role } from '../../src/platform/access';
import { actingAs, type Context, withDatabase } from '../../src/platform/context';
import { newId } from '../../src/platform/ids';
import { systemContext } from './world';

/** A person of an organization who calls use cases as pages do. */
export function staffContext(orgId: string, role: Role = 'staff', shard = 0): Context {
  const { ctx } = systemContext();
  return actingAs(withDatabase(ctx, ctx.databases.at(shard)), { kind: 'staff', memberId: newId(), orgId, role });
}
