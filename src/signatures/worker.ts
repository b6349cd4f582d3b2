import { describeError, log } from '../platform/log';
import { checkPdf } from './check';
import { holdsToken } from './pdf/text';
import { judgeWithoutLists, reportOf, type SignatureReportRow, uncheckable } from './report';

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

async function check({ FILES }: Env, { fileKey }: Claim): Promise<Found> {
  const file = await FILES.get(fileKey);
  if (!file) return uncheckable(Date.now());
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (await holdsToken(bytes)) return 'erezept_token';
    return await reportOf(await checkPdf(bytes), Date.now(), judgeWithoutLists);
  } catch (error) {
    log('error', 'signature_check_failed', describeError(error));
    throw error;
  }
}
