import { expect, test } from 'vitest';
import {
  coveredLines,
  isApproved,
  isReadingCopy,
  isUncovered,
  unconfirmedOf,
  uncoveredBy,
  unsoundOf,
} from '../../src/prescriptions/coverage';
import type { PrescriptionState } from '../../src/prescriptions/store';

type Approval = Parameters<typeof uncoveredBy>[0][number];

function approved(lines: Record<string, number>, rest: Partial<Approval> = {}): Approval {
  return { status: 'stored', approvedAt: 1, approvedLines: coveredLines(new Map(Object.entries(lines))), ...rest };
}

const needing = (lines: Record<string, number>) => new Map(Object.entries(lines));

test('what is covered is kept by product, whatever order it came in', () => {
  const lines = [
    { p1Id: 'a', quantity: 1 },
    { p1Id: 'b', quantity: 2 },
    { p1Id: 'c', quantity: 3 },
  ];
  expect(coveredLines(needing({ a: 1, b: 2, c: 3 }))).toEqual(lines);
  expect(coveredLines(needing({ c: 3, a: 1, b: 2 }))).toEqual(lines);
});

test.each<[string, Partial<Approval>, boolean]>([
  ['stored and approved', {}, true],
  ['stored', { approvedAt: null }, false],
  ['erased after its approval', { status: 'erased' }, false],
])('a prescription that is %s: approved is %j', (_, fields, expected) => {
  expect(isApproved(approved({}, fields))).toBe(expected);
});

test.each<[string, Approval[], (string | null)[], boolean]>([
  ['no line, nothing approved', [], [], false],
  ['a line that needs none', [], ['otc'], false],
  ['a covered product', [approved({ a: 1 })], ['a'], false],
  ['a product that nothing covers', [approved({ b: 1 })], ['a'], true],
  ['no product, something approved', [approved({})], [null], false],
  ['no product, nothing approved', [approved({}, { approvedAt: null })], [null], true],
  ['no product and a covered product', [approved({ a: 1 })], [null, 'a'], false],
  ['no product and one that nothing covers', [approved({})], [null, 'a'], true],
])('tells whether lines with %s are uncovered', (_, prescriptions, products, expected) => {
  const lines = products.map((p1Id) => ({ p1Id, prescriptionRequired: p1Id !== 'otc' }));
  const prescribed = needing(Object.fromEntries(products.flatMap((p1Id) => (p1Id === 'a' ? [[p1Id, 1]] : []))));
  expect(isUncovered(prescriptions, lines, prescribed)).toBe(expected);
});

test('lines without a product that need no prescription are covered', () => {
  expect(isUncovered([], [{ p1Id: null, prescriptionRequired: false }], needing({}))).toBe(false);
});

test.each<[string, Approval[], Record<string, number>, unknown[]]>([
  ['nothing needed', [], {}, []],
  ['as much', [approved({ a: 2 })], { a: 2 }, []],
  ['less', [approved({ a: 2 })], { a: 1 }, []],
  ['one more', [approved({ a: 2 })], { a: 3 }, [{ p1Id: 'a', needed: 3, covered: 2 }]],
  ['another product', [approved({ a: 2 })], { b: 1 }, [{ p1Id: 'b', needed: 1, covered: 0 }]],
  ['two that add up', [approved({ a: 1 }), approved({ b: 1, a: 1 })], { a: 2, b: 1 }, []],
  ['two that do not', [approved({ a: 1 }), approved({ a: 1 })], { a: 3 }, [{ p1Id: 'a', needed: 3, covered: 2 }]],
  [
    'one that is not approved',
    [approved({ a: 2 }, { approvedAt: null })],
    { a: 1 },
    [{ p1Id: 'a', needed: 1, covered: 0 }],
  ],
  [
    'one that was erased',
    [approved({}, { status: 'erased', approvedLines: null })],
    { a: 1 },
    [{ p1Id: 'a', needed: 1, covered: 0 }],
  ],
  [
    'one whose approval names no lines',
    [approved({}, { approvedLines: null })],
    { a: 1 },
    [{ p1Id: 'a', needed: 1, covered: 0 }],
  ],
])('%s: what is not covered is told by product', (_, prescriptions, needed, uncovered) => {
  expect(uncoveredBy(prescriptions, needing(needed))).toEqual(uncovered);
});

type Report = NonNullable<PrescriptionState['signatureReport']>;

/** A stored file, and what its signature check says; null: it was not checked. */
function checked(report: Partial<Report> | null, rest: Partial<PrescriptionState> = {}): PrescriptionState {
  const whole = report && { status: 'passed', subIndication: null, laterChanges: 'none', anchor: 'AT', ...report };
  return { status: 'stored', setAsideAt: null, signatureReport: whole, ...rest } as PrescriptionState;
}

/** What counts for no question about signatures, whatever its check says. */
const NOT_THERE = [
  { status: 'erased' },
  { setAsideAt: 1 },
  { signatureReport: null },
] satisfies Partial<PrescriptionState>[];

test.each<[string, PrescriptionState, PrescriptionState[], boolean]>([
  ['unsigned, beside a signed one', checked({ status: 'none' }), [checked(null), checked({})], true],
  ['unsigned, alone', checked({ status: 'none' }), [checked({ status: 'none' })], false],
  ['signed itself', checked({}), [checked({})], false],
  ['unsigned, beside one that failed', checked({ status: 'none' }), [checked({ status: 'failed' })], false],
  ...NOT_THERE.flatMap((gone): [string, PrescriptionState, PrescriptionState[], boolean][] => [
    [`unsigned and ${JSON.stringify(gone)}`, checked({ status: 'none' }, gone), [checked({})], false],
    [
      `unsigned, beside a signed one that is ${JSON.stringify(gone)}`,
      checked({ status: 'none' }),
      [checked({}, gone)],
      false,
    ],
  ]),
])('a file that is %s: a copy to read is %4$j', (_, row, others, isCopy) => {
  expect(isReadingCopy(row, others)).toBe(isCopy);
});

test.each<[Partial<Report>, boolean]>([
  [{}, false],
  [{ status: 'none' }, false],
  [{ status: 'failed' }, true],
  [{ status: 'indeterminate', subIndication: 'TRY_LATER' }, false],
  [{ status: 'indeterminate', subIndication: 'REVOKED_NO_POE' }, true],
  [{ status: 'indeterminate', subIndication: 'REVOKED_CA_NO_POE' }, true],
  [{ status: 'indeterminate', subIndication: 'CHAIN_CONSTRAINTS_FAILURE' }, true],
  [{ status: 'indeterminate', laterChanges: 'other' }, true],
  [{ status: 'indeterminate', laterChanges: 'none' }, false],
  [{ status: 'indeterminate', laterChanges: 'other', anchor: null }, false],
  [{ laterChanges: 'other' }, false],
] as [Partial<Report>, boolean][])('a check that says %j does not hold: %j', (report, isUnsound) => {
  expect(unsoundOf([checked({}), checked(report)])).toEqual(isUnsound ? [checked(report)] : []);
  for (const gone of NOT_THERE) expect(unsoundOf([checked(report, gone)])).toEqual([]);
});

const TAKEN = { checkedAs: 'signed_file', verifiedWith: null } as const;
const LATER = { status: 'indeterminate', subIndication: 'TRY_LATER' } as Partial<Report>;

test.each<[string, PrescriptionState, enforced: boolean, lax: boolean]>([
  ['passed', checked({}, TAKEN), false, false],
  ['passed, with something added', checked({ laterChanges: 'other' } as Partial<Report>), true, false],
  ['open, with something added', checked({ ...LATER, laterChanges: 'other' } as Partial<Report>), false, false],
  ['open, taken for a signed file', checked(LATER, TAKEN), true, true],
  ['open for another reason', checked({ ...LATER, subIndication: 'NO_POE' } as Partial<Report>, TAKEN), false, false],
  ['open, verified by hand', checked(LATER, { ...TAKEN, verifiedWith: 'phone' } as object), false, false],
  ['open, seen on paper', checked(LATER, { ...TAKEN, checkedAs: 'paper' } as object), false, false],
])('a signature that %s: staff acknowledge it where signatures are enforced %j, else %j', (_, row, enforced, lax) => {
  expect(unconfirmedOf([row], true)).toEqual(enforced ? [row] : []);
  expect(unconfirmedOf([row], false)).toEqual(lax ? [row] : []);
  for (const gone of NOT_THERE) expect(unconfirmedOf([{ ...row, ...gone }], true)).toEqual([]);
});
