import { expect, test } from 'vitest';
import { coveredLines, isApproved, uncoveredBy } from '../../src/prescriptions/coverage';

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
