import { sql } from 'drizzle-orm';
import type { Condition } from '../platform/db';
import type { Value } from '../platform/statements';
import { productNames } from './tables';

/**
 * Ids of the organization's products whose folded name, in any layer, or id contains a text, as a subquery: whoever asks
 * compares the name of the layer that counts.
 * @param limit the most to find, those first of which a name begins with the text; without it all are found
 */
export function productsNamed(orgId: Value<string>, text: Value<string | null>, limit?: number): Condition {
  // As it stands within a JSON text: a block that does not hold it is not taken apart.
  const quoted = sql`json_quote(${text})`;
  const found = sql`from ${productNames} as book cross join json_each(book.names) as named
    where book.org_id = ${orgId} and instr(book.names, substr(${quoted}, 2, length(${quoted}) - 2)) > 0
      and instr(named.value, ${text}) > 0`;
  if (limit === undefined) return sql`(select named.key ${found})`;
  return sql`(select named.key ${found} order by instr(char(10) || named.value, char(10) || ${text}) = 0, named.key limit ${limit})`;
}
