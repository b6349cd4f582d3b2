import { DAY_MS } from '../../platform/time';
import type { Report } from '../check';
import { reportOf } from '../report';
import type { SignatureReportRow } from '../result';
import { askRevocation } from './ask';
import { judgeBy } from './judge';
import { servicesFor } from './keep';

const NO_CHAIN = 'NO_CERTIFICATE_CHAIN_FOUND';
/** As long as a request may wait. */
const OPEN_MS = 30 * DAY_MS;

/**
 * The report of a checked file, judged by the trusted lists that are kept.
 * @param storedAt epoch ms: the file is known since then, which is before its first check
 * @param mayAsk whether addresses in certificates are asked about revocation
 */
export async function judgedReport(
  report: Report,
  { files, storedAt, mayAsk }: { files: R2Bucket; storedAt: number; mayAsk: boolean },
): Promise<SignatureReportRow> {
  const now = Date.now();
  const knownSince = Math.min(now, storedAt);
  const { services, isIncomplete } = await servicesFor(files, report.material.certificates, now);
  const row = await reportOf(report, now, judgeBy({ services, knownSince, ask: mayAsk ? askRevocation : null }));
  const isOpen = row.subIndication === 'TRY_LATER' || (isIncomplete && row.subIndication === NO_CHAIN);
  return isOpen && now - knownSince < OPEN_MS ? { ...row, isUndecided: true } : row;
}
