import type { CoveredLine, prescriptions } from './tables';

/** How many of each product, by its id. */
export type Quantities = ReadonlyMap<string, number>;

/** A product of which more is needed than prescriptions cover. */
export interface Uncovered {
  p1Id: string;
  needed: number;
  covered: number;
}

type Approval = Pick<typeof prescriptions.$inferSelect, 'status' | 'approvedAt' | 'approvedLines'>;

/** As they are stored and compared: by product. */
export function coveredLines(quantities: Quantities): CoveredLine[] {
  return [...quantities].sort().map(([p1Id, quantity]) => ({ p1Id, quantity }));
}

/** The prescription is approved and its file is stored. */
export function isApproved({ status, approvedAt }: Pick<Approval, 'status' | 'approvedAt'>): boolean {
  return status === 'stored' && approvedAt !== null;
}

/** Somebody decided that it does not belong to its request. */
export function isSetAside({ setAsideAt }: Pick<typeof prescriptions.$inferSelect, 'setAsideAt'>): boolean {
  return setAsideAt !== null;
}

/** What is needed beyond what the approved ones of these prescriptions cover together. */
export function uncoveredBy(prescriptions: readonly Approval[], needed: Quantities): Uncovered[] {
  const lines = prescriptions.filter(isApproved).flatMap(({ approvedLines }) => approvedLines ?? []);
  return [...needed].flatMap(([p1Id, quantity]) => {
    const covered = lines.reduce((sum, line) => (line.p1Id === p1Id ? sum + line.quantity : sum), 0);
    return covered < quantity ? [{ p1Id, needed: quantity, covered }] : [];
  });
}
