import { writeSync } from 'node:fs';
import type { Reporter } from 'vitest/node';

const STDOUT = 1;
const MESSAGE_LENGTH_MAX = 300;

/**
 * Returns one line with the name and the message of a failure. Each line is complete, because often only the end of a
 * long log is kept.
 */
const failureLine = (name: string, message = '') =>
  `FAILED ${name}: ${message.replace(/\s+/g, ' ').slice(0, MESSAGE_LENGTH_MAX)}\n`;

/**
 * Prints a line `FAILED <file> > <test>: <message>` for each failure, and `N passed, N failed` as the run's last line. A
 * file that breaks without a failed test (it does not load, or a hook throws) and an error outside every test count as one
 * failure each, so a failed run never prints `0 failed`.
 */
export default class Tally implements Reporter {
  onTestRunEnd: NonNullable<Reporter['onTestRunEnd']> = (modules, unhandledErrors) => {
    let passed = 0;
    const failures = unhandledErrors.map(({ message }) => failureLine('outside every test', message));
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      const broken = tests.filter((test) => test.result().state === 'failed');
      passed += tests.filter((test) => test.result().state === 'passed').length;
      failures.push(
        ...broken.map((test) =>
          failureLine(`${module.relativeModuleId} > ${test.fullName}`, test.result().errors?.[0]?.message),
        ),
      );
      if (broken.length === 0 && module.state() === 'failed') {
        failures.push(failureLine(module.relativeModuleId, module.errors()[0]?.message));
      }
    }
    // Written directly and unbuffered, so that this line comes after the summary of the reporter before.
    const summary = `${failures.join('')}${passed} passed, ${failures.length} failed\n`;
    process.once('exit', () => writeSync(STDOUT, summary));
  };
}
