import { expect, test } from 'vitest';
import { HEAP_BYTES_PER_REQUEST_MAX, loadTest } from './support/load-test';
import { withService } from './support/service';

const TIMEOUT_MS = 900_000;
const REQUESTS = 10_000;

test(
  '10,000 requests at full speed: all are accepted, stored once and delivered, and the Worker holds no more memory after them',
  async () => {
    const report = await withService((service) => loadTest(service, { requests: REQUESTS, connections: 16 }));
    console.log(report);
    expect(report).toMatchObject({ accepted: REQUESTS, failed: 0, lost: [], doubled: [], broken: [] });
    expect(report.delivered).toBe(REQUESTS);
    expect(report.heapBytesPerRequest).toBeLessThanOrEqual(HEAP_BYTES_PER_REQUEST_MAX);
  },
  TIMEOUT_MS,
);
