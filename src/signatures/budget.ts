import { INFLATED_BYTES_MAX, MILLISECONDS_MAX, STEPS_MAX } from './limits';

/** A limit was reached: the file is not checked any further. */
export class LimitReached extends Error {
  constructor(limit: 'inflated' | 'steps' | 'time' | 'signatures' | 'certificates' | 'objects' | 'depth') {
    super(`Limit reached: ${limit}`);
  }
}

const STEPS_A_LOOK = 65_536;

/**
 * Counts the resources that one check uses up. Counts steps as well as time, because a Worker's clock stands still
 * while the Worker computes.
 */
export class Budget {
  private inflated = 0;
  private steps = 0;
  private looked = 0;
  private readonly until = Date.now() + MILLISECONDS_MAX;

  /** @throws LimitReached if more than `INFLATED_BYTES_MAX` bytes were inflated in total */
  inflate(bytes: number): void {
    this.inflated += bytes;
    if (this.inflated > INFLATED_BYTES_MAX) throw new LimitReached('inflated');
    this.step(bytes >> 3);
  }

  /** @throws LimitReached once the steps or the time are used up */
  step(count = 1): void {
    this.steps += count;
    if (this.steps > STEPS_MAX) throw new LimitReached('steps');
    if (this.steps - this.looked < STEPS_A_LOOK) return;
    this.looked = this.steps;
    if (Date.now() > this.until) throw new LimitReached('time');
  }
}
