import { describe, expect, test } from 'vitest';
import {
  actorId,
  ROLES,
  type Role,
  readsPrescriptionsOf,
  requireOperator,
  requireOwnerOrOperator,
  requireRole,
  requireScope,
  requireSystem,
  roleHolds,
  SCOPES,
  type Scope,
  withoutHealth,
} from '../../src/platform/access';
import type { Actor, Context } from '../../src/platform/context';
import { AppError } from '../../src/platform/errors/errors';

const by = (actor: Actor) => ({ actor }) as Context;
const key = (...scopes: string[]) =>
  by({ kind: 'api_key', keyId: 'key-1', familyId: 'family-1', orgId: 'org-1', scopes });
const member = (role: Role, orgId = 'org-1') => by({ kind: 'staff', memberId: 'member-1', orgId, role });
const [anonymous, system] = (['anonymous', 'system'] as const).map((kind) => by({ kind }));
const operator = by({ kind: 'operator', name: 'anna' });

/** What the refusal says is needed; null where the call is allowed. */
function neededFor(call: () => unknown): string | null {
  try {
    call();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect([error.kind, error.code]).toEqual(['forbidden', 'insufficient_scope']);
    const needed = /^This call needs the scope (.+)\.$/.exec(error.detail)?.[1] ?? '';
    expect(error.details.headers).toEqual({
      'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${needed}"`,
    });
    return needed;
  }
}

const EVERYBODY: [string, Context | undefined][] = [
  ['nobody', anonymous],
  ['the system', system],
  ['the operator', operator],
  ['a key with every scope', key(...SCOPES)],
  ...ROLES.map((role): [string, Context] => [`a member as ${role}`, member(role)]),
];

const allowed = (call: (ctx: Context) => unknown) =>
  EVERYBODY.filter(([, ctx]) => ctx && neededFor(() => call(ctx)) === null).map(([name]) => name);

test('the scopes are those that the contract names', () => {
  expect([...SCOPES].sort()).toEqual([
    'customers.read',
    'customers.write',
    'events.read',
    'external_orders.submit',
    'inventory.read',
    'inventory.write',
    'order_requests.read',
    'order_requests.write',
    'orders.read',
    'orders.write',
    'prescriptions.read',
    'prescriptions.write',
    'products.read',
    'products.write',
    'reports.read',
    'webhooks.read',
    'webhooks.write',
  ]);
  expect(ROLES).toEqual(['owner', 'pharmacist', 'staff']);
});

const HELD: Record<Role, Scope[]> = {
  owner: [
    'products.read',
    'products.write',
    'inventory.read',
    'inventory.write',
    'order_requests.read',
    'order_requests.write',
    'orders.read',
    'orders.write',
    'customers.read',
    'customers.write',
    'prescriptions.read',
    'prescriptions.write',
    'events.read',
    'reports.read',
    'webhooks.read',
    'webhooks.write',
  ],
  pharmacist: [
    'products.read',
    'products.write',
    'inventory.read',
    'inventory.write',
    'order_requests.read',
    'order_requests.write',
    'orders.read',
    'orders.write',
    'customers.read',
    'prescriptions.read',
    'prescriptions.write',
    'events.read',
    'reports.read',
  ],
  staff: [
    'products.read',
    'inventory.read',
    'inventory.write',
    'order_requests.read',
    'order_requests.write',
    'orders.read',
    'orders.write',
  ],
};

describe.each(ROLES)('a member as %s', (role) => {
  test.each(SCOPES)('has the scope %s or is refused it, in the pages and in the use cases alike', (scope) => {
    const isHeld = HELD[role].includes(scope);
    expect(roleHolds(role, scope)).toBe(isHeld);
    expect(neededFor(() => requireScope(member(role), scope))).toBe(isHeld ? null : scope);
  });
});

test.each(SCOPES)('a key has the scope %s if it was given it, and acts for its organization', (scope) => {
  const others = SCOPES.filter((each) => each !== scope);
  expect(requireScope(key(scope), scope)).toMatchObject({ kind: 'api_key', orgId: 'org-1' });
  expect(neededFor(() => requireScope(key(...others), scope))).toBe(scope);
  expect(neededFor(() => requireScope(key(), scope))).toBe(scope);
});

test('only a key or a member acts for an organization', () => {
  expect(allowed((ctx) => requireScope(ctx, 'orders.read'))).toEqual([
    'a key with every scope',
    'a member as owner',
    'a member as pharmacist',
    'a member as staff',
  ]);
});

test('the operator alone may do what is the operator’s, the system alone what is the system’s', () => {
  expect(allowed(requireOperator)).toEqual(['the operator']);
  expect(allowed(requireSystem)).toEqual(['the system']);
  expect(neededFor(() => requireOperator(key()))).toBe('operator');
  expect(neededFor(() => requireSystem(key()))).toBe('system');
});

test('what asks for a role refuses every key and every other role', () => {
  const prescriptionRoles = ['owner', 'pharmacist'] as const;
  expect(allowed((ctx) => requireRole(ctx, prescriptionRoles))).toEqual([
    'a member as owner',
    'a member as pharmacist',
  ]);
  expect(neededFor(() => requireRole(member('staff'), prescriptionRoles))).toBe('owner or pharmacist');
  expect(requireRole(member('owner'), ['owner'])).toMatchObject({ memberId: 'member-1', orgId: 'org-1' });
});

test('an owner may do in the own organization what the operator may do in all', () => {
  expect(allowed((ctx) => requireOwnerOrOperator(ctx, 'org-1'))).toEqual(['the operator', 'a member as owner']);
  expect(allowed((ctx) => requireOwnerOrOperator(ctx, 'org-2'))).toEqual(['the operator']);
  expect(neededFor(() => requireOwnerOrOperator(member('owner'), 'org-2'))).toBe('operator');
  expect(neededFor(() => requireOwnerOrOperator(member('pharmacist'), 'org-1'))).toBe('owner');
  expect(neededFor(() => requireOwnerOrOperator(key(...SCOPES), 'org-1'))).toBe('operator');
});

test('records name a key by its id, a member by theirs, the operator by the name of the token', () => {
  expect(EVERYBODY.map(([, ctx]) => ctx && actorId(ctx))).toEqual([
    null,
    null,
    'anna',
    'key-1',
    'member-1',
    'member-1',
    'member-1',
  ]);
});

test.each([
  ['rezept_nr', '4711'],
  ['ICD', 'F90'],
  ['remark', 'see https://files.example.com/1'],
  ['remark', `data:${'A'.repeat(200)}`],
  ['remark', '{"diagnosis": "F90"}'],
])('details about health are left out: %s', (name, text) => {
  expect(withoutHealth({ [name]: text })).toBeNull();
  expect(withoutHealth({ [name]: text, floor: '3' })).toEqual({ floor: '3' });
});

test.each([
  ['practice', 'ring twice'],
  ['remark', `${'A'.repeat(199)} ${'A'.repeat(199)}`],
  ['remark', 'about {prescription}'],
])('other details stay: %s', (name, text) => {
  expect(withoutHealth({ [name]: text })).toEqual({ [name]: text });
});

test('of no details nothing is left', () => expect(withoutHealth(null)).toBeNull());

test.each<[string, Actor, boolean, boolean]>([
  ['a member who may read them', { kind: 'staff', role: 'pharmacist' }, true, true],
  ['a member who may not', { kind: 'staff', role: 'courier' }, false, false],
  ['a key for all shops', { kind: 'api_key', scopes: ['prescriptions.read'] }, true, true],
  ['a key for one shop', { kind: 'api_key', scopes: ['prescriptions.read'], prescriptionShopIds: ['a'] }, true, false],
  ['a key without the scope', { kind: 'api_key', scopes: ['orders.read'], prescriptionShopIds: ['a'] }, false, false],
] as unknown as [string, Actor, boolean, boolean][])(
  '%s reads prescriptions of its shop: %j, of others: %j',
  (_, actor, own, others) => {
    expect(readsPrescriptionsOf(by(actor), 'a')).toBe(own);
    expect(readsPrescriptionsOf(by(actor), 'b')).toBe(others);
    expect(readsPrescriptionsOf(by(actor), null)).toBe(others);
  },
);
