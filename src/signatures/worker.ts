import { describeError, log } from '../platform/log';
import { checkPdf } from './check';
import { holdsToken } from './pdf/text';
import { type Asked, type Claim, type Found, uncheckable } from './result';
import { judgedReport } from './trust/judge';
import type { ListMessage } from './trust/kept';
import { keepAllSent, keepSent, type TrustEnv, updateTrustLists } from './trust/update';

interface Env extends TrustEnv {
  /** `on`: the Worker asks about revocation at the addresses in certificates. */
  REVOCATION_CALLS?: string;
  MAIN: Fetcher;
}

/**
 * The Worker that checks signatures. It is separate, so that checks use no memory or CPU of the main Worker. It has the
 * bucket, but no database. The queue delivers a failed check once more. If that fails, too, the sweep of the main
 * Worker finds the check.
 */
export default {
  async queue({ messages }, env) {
    for (const { body, attempts } of messages) {
      if (isOfList(body)) {
        await keepSent(env, body.trustList);
        continue;
      }
      const claim = (await ask(env, { message: body, deliveries: attempts })) as Claim | null;
      if (claim) await ask(env, { message: body, attempt: claim.attempt, found: await check(env, claim) });
    }
  },

  async scheduled(_, env) {
    await keepAllSent(env);
    await updateTrustLists(env);
  },
} satisfies ExportedHandler<Env>;

function isOfList(body: unknown): body is ListMessage {
  return typeof body === 'object' && body !== null && 'trustList' in body;
}

/** Calls the main Worker. @throws each error of that Worker */
async function ask({ MAIN }: Env, asked: Asked): Promise<unknown> {
  const answer = await MAIN.fetch('http://main/', { method: 'POST', body: JSON.stringify(asked) });
  return answer.json();
}

async function check({ FILES, REVOCATION_CALLS }: Env, { fileKey }: Claim): Promise<Found> {
  const file = await FILES.get(fileKey);
  if (!file) return uncheckable(Date.now());
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    if (holdsToken(bytes)) return 'erezept_token';
    const of = { files: FILES, storedAt: file.uploaded.getTime(), mayAsk: REVOCATION_CALLS === 'on' };
    return await judgedReport(await checkPdf(bytes), of);
  } catch (error) {
    log('error', 'signature_check_failed', describeError(error));
    throw error;
  }
}
