import { describeError, log } from '../platform/log';
import { DAY_MS } from '../platform/time';
import { checkPdf } from './check';
import { holdsToken } from './pdf/text';
import { reportOf, type SignatureReportRow, uncheckable } from './report';
import { askRevocation } from './trust/ask';
import { judgeBy } from './trust/judge';
import { servicesFor } from './trust/kept';

/** What this Worker asks of the main one, which alone knows the databases. */
export interface SignatureChecks {
  /**
   * Claims the check that a message names.
   * @param deliveries how often the message has been delivered: one more than how often its check has died
   * @returns null if there is nothing to do
   */
  begin(message: unknown, deliveries: number): Promise<Claim | null>;
  /** Stores what was found, unless the prescription was erased or the check claimed again since. */
  end(message: unknown, claim: Claim, found: Found): Promise<void>;
}

/** What a check found: a report, or the token of an E-Rezept, which must not be kept. */
export type Found = SignatureReportRow | 'erezept_token';

/** A claimed check: of which file, and which attempt it is. */
export interface Claim {
  fileKey: string;
  attempt: number;
}

interface Env {
  FILES: R2Bucket;
  /** `on`: addresses in certificates are asked about their revocation. */
  REVOCATION_CALLS?: string;
  MAIN: SignatureChecks;
}

/**
 * The Worker that checks signatures, so that neither its memory nor its processor time is the connector's. It has the
 * bucket and no database. A check that fails or dies is delivered again by the queue once, and otherwise found by the
 * sweep of the main Worker.
 */
export default {
  async queue({ messages }, env) {
    for (const { body, attempts } of messages) {
      const claim = await env.MAIN.begin(body, attempts);
      if (claim) await env.MAIN.end(body, claim, await check(env, claim));
    }
  },
} satisfies ExportedHandler<Env>;

const NO_CHAIN = 'NO_CERTIFICATE_CHAIN_FOUND';
/** As long as a request may wait. */
const OPEN_MS = 30 * DAY_MS;

async function check({ FILES, REVOCATION_CALLS }: Env, { fileKey }: Claim): Promise<Found> {
  const file = await FILES.get(fileKey);
  if (!file) return uncheckable(Date.now());
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (await holdsToken(bytes)) return 'erezept_token';
    const report = await checkPdf(bytes);
    const now = Date.now();
    const { services, isIncomplete } = await servicesFor(FILES, report.material.certificates, now);
    const ask = REVOCATION_CALLS === 'on' ? askRevocation : null;
    // The file is known since it was stored, which is before its first check.
    const knownSince = Math.min(now, file.uploaded.getTime());
    const row = await reportOf(report, now, judgeBy({ services, knownSince, ask }));
    const isOpen = row.subIndication === 'TRY_LATER' || (isIncomplete && row.subIndication === NO_CHAIN);
    return isOpen && now - knownSince < OPEN_MS ? { ...row, isUndecided: true } : row;
  } catch (error) {
    log('error', 'signature_check_failed', describeError(error));
    throw error;
  }
}
