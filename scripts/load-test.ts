// Sends order requests to the real service at full speed, and shows that none is lost, that all are delivered, and that
// the Worker does not hold more memory afterwards.
//
//   npm run load-test                        10,000 requests over 16 connections
//   npm run load-test -- --requests 50000    more of them
import { parseArgs } from 'node:util';
import { HEAP_BYTES_PER_REQUEST_MAX, loadTest } from '../test/node/support/load-test.ts';
import { withOwnService } from './own-service.ts';

const CONNECTIONS = 16;
/** With fewer requests, the variation of the measured heap is too large per request. */
const REQUESTS_MIN = 5_000;
const FAULTS_SHOWN = 20;

const { values } = parseArgs({ options: { requests: { type: 'string', default: '10000' } } });
const requests = Number(values.requests);
if (!Number.isInteger(requests) || requests < REQUESTS_MIN) {
  throw new Error(`--requests takes a whole number, at least ${REQUESTS_MIN}.`);
}

const report = await withOwnService((service) => loadTest(service, { requests, connections: CONNECTIONS }));
const { lost, doubled, broken, ...figures } = report;
for (const [name, value] of Object.entries(figures)) console.log(name, value);
const faults = { lost, doubled, broken };
for (const [name, lines] of Object.entries(faults)) {
  console.log(name, lines.length);
  for (const line of lines.slice(0, FAULTS_SHOWN)) console.error(`${name}: ${line}`);
}
const isRight =
  [...lost, ...doubled, ...broken].length + report.failed === 0 &&
  report.heapBytesPerRequest <= HEAP_BYTES_PER_REQUEST_MAX;
process.exitCode = isRight ? 0 : 1;
