import { SIGN_IN } from '../http/paths';
import { BarePage } from '../ui/layout';
import type { View } from '../ui/view';
import { messages } from './messages';

/** In the place of a page whose link is of no use any more: what happened, and what to do. */
export function GonePage({ view, goneTitle, gone }: { view: View; goneTitle: string; gone: string }) {
  return (
    <BarePage view={view} title={goneTitle}>
      <p>{gone}</p>
      <p>
        <a href={SIGN_IN}>{messages(view).signIn.title}</a>
      </p>
    </BarePage>
  );
}
