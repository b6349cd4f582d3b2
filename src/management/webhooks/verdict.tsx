import type { FailureClass, ShownAttempt } from '../../webhooks/service';
import { LOCALES } from '../http/language';
import { Say } from '../ui/parts';
import type { View } from '../ui/view';
import { type Messages, messages } from './messages';
import { hostOfUrl } from './parts';

const SLOW_MS = 5_000;

/** What the owner of a receiver can do about a failure. */
export function adviceOf(view: View, failureClass: FailureClass, httpStatus: number | null): string {
  const { advice } = messages(view).deliveries;
  return failureClass === 'http' ? adviceFor(advice, httpStatus ?? 0) : advice[failureClass];
}

function adviceFor(advice: Messages['deliveries']['advice'], status: number): string {
  if (status === 401 || status === 403) return advice.auth;
  if (status === 404 || status === 405) return advice.path;
  if (status === 410) return advice.gone;
  if (status === 413) return advice.tooLarge;
  if (status === 429 || status === 503) return advice.busy;
  return status >= 500 ? advice.broken : advice.refused;
}

/** The result of an attempt in a sentence, with advice. */
export function Verdict({ view, attempt, url }: { view: View; attempt: ShownAttempt; url: string }) {
  const { deliveries: t } = messages(view);
  const { failureClass, httpStatus, durationMs } = attempt;
  const isAccepted = failureClass === null;
  const text = t.verdicts[failureClass ?? 'accepted']({
    ms: `${durationMs.toLocaleString(LOCALES[view.language])} ms`,
    status: httpStatus ?? 0,
    host: hostOfUrl(attempt.request?.url ?? url),
  });
  const slow = durationMs > SLOW_MS ? t.advice.slow : null;
  return (
    <Say tone={isAccepted ? 'good' : 'bad'}>
      <strong>{text}</strong> {isAccepted ? slow : adviceOf(view, failureClass, httpStatus)}
    </Say>
  );
}
