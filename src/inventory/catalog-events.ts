import type { ToldHolders } from '../catalog/service';
import type { Context } from '../platform/context';
import { outboxProducts } from '../webhooks/outbox';
import { changedWhereSettled, selectHolders } from './store-events';

/** So many events of single products fit into one batch. */
const EVENTS_MAX = 1_000;

/**
 * What tells the organizations of one database that hold products of an import: the events of those whose values they have from
 * the catalog. One read. An organization that is being moved is not told: it is on its way with what it had.
 */
export async function tellHolders(ctx: Context, p1Ids: readonly string[]): Promise<ToldHolders> {
  const { holders } = await ctx.db.run({ holders: selectHolders(p1Ids) });
  const takingEach = holders.filter(({ takesEach }) => takesEach === 1).length;
  return {
    togetherMax: Math.max(1, Math.floor(EVENTS_MAX / Math.max(1, takingEach))),
    entriesOf: (products) => {
      const changed = products.map((each) => ({ ...each, isOfCatalog: true }));
      return holders.map(({ orgId, takesEach }) => {
        const rows = changedWhereSettled({ orgId, changed });
        return outboxProducts(ctx, { orgId, rowsMax: changed.length, rows, isEachTaken: takesEach === 1 });
      });
    },
  };
}
