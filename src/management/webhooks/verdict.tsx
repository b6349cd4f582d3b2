import type { ShownAttempt } from '../../webhooks/service';
import { Chip } from '../ui/layout';
import type { View } from '../ui/view';
import { hostOfUrl } from './parts';

const SLOW_MS = 5_000;

interface Verdict {
  isAccepted: boolean;
  text: string;
  advice?: string;
}

/** How an attempt ended, in a sentence, and what to do about it. */
export function verdictOf(view: View, attempt: ShownAttempt, url: string): Verdict {
  const { verdicts, advice } = view.words.deliveries;
  const { failureClass, httpStatus, durationMs } = attempt;
  const ms = `${durationMs.toLocaleString(view.words.locale)} ms`;
  const host = hostOfUrl(attempt.request?.url ?? url);
  if (failureClass === null) {
    const text = verdicts.accepted(ms, httpStatus ?? 200);
    return { isAccepted: true, text, advice: durationMs > SLOW_MS ? advice.slow : undefined };
  }
  const isAccepted = false;
  switch (failureClass) {
    case 'http':
      return { isAccepted, text: verdicts.refused(ms, httpStatus ?? 0), advice: adviceFor(advice, httpStatus ?? 0) };
    case 'redirect':
      return { isAccepted, text: verdicts.redirect(ms, httpStatus ?? 0), advice: advice.redirect };
    case 'timeout':
    case 'interrupted':
      return { isAccepted, text: verdicts[failureClass], advice: advice[failureClass] };
    default:
      return { isAccepted, text: verdicts[failureClass](host), advice: advice[failureClass] };
  }
}

function adviceFor(advice: View['words']['deliveries']['advice'], status: number): string {
  if (status === 401 || status === 403) return advice.auth;
  if (status === 404 || status === 405) return advice.path;
  if (status === 410) return advice.gone;
  if (status === 413) return advice.tooLarge;
  if (status === 429 || status === 503) return advice.busy;
  return status >= 500 ? advice.broken : advice.refused;
}

export function VerdictLine({ view, attempt, url }: { view: View; attempt: ShownAttempt; url: string }) {
  const { isAccepted, text, advice } = verdictOf(view, attempt, url);
  const { statuses } = view.words.deliveries;
  return (
    <>
      <p>
        <Chip tone={isAccepted ? 'good' : 'bad'}>{isAccepted ? statuses.succeeded : statuses.exhausted}</Chip>{' '}
        <strong>{text}</strong>
      </p>
      {advice && <p>{advice}</p>}
    </>
  );
}
