import fc from 'fast-check';

const index = () => fc.noBias(fc.nat(2 ** 20));

/** Choices that are made while a request is built; each shrinks to the first that there is, and to what is left as it is. */
export class Draws {
  private readonly generate: fc.GeneratorValue;

  constructor(generate: fc.GeneratorValue) {
    this.generate = generate;
  }

  /** @param of the same function each time, so that fast-check knows the choice again */
  one<T>(of: () => fc.Arbitrary<T>): T {
    return this.generate(of);
  }

  /** From 0 to below the limit. */
  below(limit: number): number {
    return this.generate(index) % limit;
  }

  chance(probability: number): boolean {
    return this.below(1000) >= 1000 * (1 - probability);
  }

  /** @throws Error when there is nothing to choose from */
  pick<T>(all: readonly T[]): T {
    if (all.length === 0) throw new Error('nothing to choose from');
    // SAFETY: the index is below the length.
    return all[this.below(all.length)] as T;
  }

  /** All of them, from any one on. */
  turned<T>(all: readonly T[]): T[] {
    const first = all.length > 0 ? this.below(all.length) : 0;
    return [...all.slice(first), ...all.slice(0, first)];
  }

  uuid(): string {
    return this.generate(fc.uuid);
  }
}
