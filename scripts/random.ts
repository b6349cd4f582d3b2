import { seeded } from '../test/support/seeded.ts';

/** Random choices. The same seeds give the same choices. */
export class Random {
  private readonly next: () => number;

  constructor(...seeds: number[]) {
    this.next = seeded(seeds.reduce((mixed, seed) => Math.imul(mixed ^ seed, 0x9e3779b1) + seed, 0x2545f491));
    // The first numbers of neighboring seeds are alike.
    for (let skipped = 0; skipped < 4; skipped += 1) this.next();
  }

  /** From 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws Error when there is nothing to choose from */
  pick<T>(all: readonly T[]): T {
    if (all.length === 0) throw new Error('nothing to choose from');
    // SAFETY: the index is below the length.
    return all[this.below(all.length)] as T;
  }

  shuffled<T>(all: readonly T[]): T[] {
    return all
      .map((each) => ({ each, rank: this.next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ each }) => each);
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
