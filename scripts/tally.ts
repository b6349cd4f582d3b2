import { writeSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

const STDOUT = 1;

/**
 * Prints `N passed, N failed` as the run's last line. A file that breaks without a failed test (it does not load, or a
 * hook throws) and an error outside every test count as one failure each, so a failed run never prints `0 failed`.
 */
export default class Tally implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandledErrors) => {
    let passed = 0;
    let failed = unhandledErrors.length;
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state);
      const broken = states.filter((state) => state === 'failed').length;
      passed += states.filter((state) => state === 'passed').length;
      failed += broken === 0 && module.state() === 'failed' ? 1 : broken;
    }
    // Written directly and unbuffered, so that it follows the summary of the reporter before it.
    process.once('exit', () => writeSync(STDOUT, `${passed} passed, ${failed} failed\n`));
  };
}
