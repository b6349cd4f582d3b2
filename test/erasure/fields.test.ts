import { DECLARED_TABLES } from '../support/declared-tables';
import { erase } from '../support/person';
import { expect, test } from '../support/test';
import { rows } from '../support/world';

/** Held by references.test.ts: what receivers answered to events about the person. */
const ELSEWHERE = ['delivery_attempts'];

const TABLES = DECLARED_TABLES.map(({ name, columns }) => ({
  name,
  emptied: columns.flatMap((column) =>
    column.field && 'erased' in column.field && column.field.erased === null ? column.name : [],
  ),
})).filter(({ name, emptied }) => emptied.length > 0 && !ELSEWHERE.includes(name));

/** The columns in which the organization's rows have anything. */
async function filledColumns(orgId: string): Promise<string[]> {
  const found = TABLES.map(async ({ name, emptied }) => {
    const counts = emptied.map((column) => `count("${column}") as "${column}"`).join(', ');
    const [row = {}] = await rows<Record<string, number>>(`select ${counts} from ${name} where org_id = ?`, orgId);
    return emptied.flatMap((column) => (row[column] ? `${name}.${column}` : []));
  });
  return (await Promise.all(found)).flat();
}

test('an erasure empties every column whose field says so', async ({ traces: { seller, customerId } }) => {
  for (const { name, emptied } of TABLES) {
    // Of no use to any rule, but valid for each of them: JSON, a number, a text of its own.
    const valueFor = (column: string) =>
      column === 'tracking_url' ? `'https://track.example/' || id` : 'json_array(id)';
    const filled = emptied.map((column) => `"${column}" = coalesce("${column}", ${valueFor(column)})`).join(', ');
    const approved = name === 'prescriptions' ? ', approved_at = 1, set_aside_at = null' : '';
    await rows(`update ${name} set ${filled}${approved} where org_id = ?`, seller.orgId);
  }
  const all = TABLES.flatMap(({ name, emptied }) => emptied.map((column) => `${name}.${column}`));
  expect(await filledColumns(seller.orgId)).toEqual(all);
  expect((await erase(seller, customerId)).status).toBe(200);
  expect(await filledColumns(seller.orgId)).toEqual([]);
});
