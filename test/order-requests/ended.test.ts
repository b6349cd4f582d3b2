import { retentionNight } from '../support/files';
import { idAt, insertRow, rowOf, rowsOf } from '../support/rows';
import { openSeller } from '../support/seller';
import { expect, test } from '../support/test';

const DAY = 86_400_000;
const NOW = Date.parse('2026-11-20T02:00:00Z');

test('the address of a revoked member goes after 90 days, the name after three years', async () => {
  const { orgId: org_id } = await openSeller();
  const insert = async (days: number | null) => {
    const id = idAt(NOW);
    const who = { id, org_id, email: `${id}@example.com`, name: 'Kim', role: 'staff', invited_at: 1, accepted_at: 1 };
    const revoked_at = days === null ? null : NOW - days * DAY;
    await insertRow('members', { ...who, two_factor_enabled: 0, updated_at: 1, revoked_at });
    return id;
  };
  const ids = [await insert(null), await insert(89), await insert(91), await insert(1_094), await insert(1_096)];
  for (const night of [NOW, NOW + 1]) await retentionNight(night);
  const left = await Promise.all(ids.map((id) => rowOf('members', { id })));
  const [here, recent] = ids.map((id) => `${id}@example.com`);
  expect(left.map(({ email, name }) => [email, name])).toEqual([
    [here, 'Kim'],
    [recent, 'Kim'],
    ['', 'Kim'],
    ['', 'Kim'],
    ['', null],
  ]);
});

test('rows of the audit log go after ten years, of each organization some in a night', async () => {
  const { orgId: org_id } = await openSeller();
  const tenYears = 3_653 * DAY;
  for (const at of [NOW - tenYears - DAY, NOW - tenYears - 2 * DAY, NOW - tenYears + DAY]) {
    const row = { at, actor_kind: 'system', action: 'retention.erased', entity_id: 'x', request_id: 'r' };
    await insertRow('audit_log', { id: idAt(at), org_id, ...row });
  }
  await retentionNight(NOW);
  const left = await rowsOf('audit_log', { org_id, action: 'retention.erased' });
  expect(left.map(({ at }) => at)).toEqual([NOW - tenYears + DAY]);
});
