import { SNIPPETS } from '../../webhooks/service';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

/** Examples of signature verification by language. They are the same files that the tests run. */
export function VerifySnippets({ view }: { view: View }) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <Panel title={t.subscriptions.verifyTitle} isWide>
      <p class="hint">{t.subscriptions.verifyLead}</p>
      {SNIPPETS.map(({ id, title, scheme, install, code }) => (
        <details class="fold" name="snippets">
          <summary lang="en">{title}</summary>
          <p class="hint">
            {t.subscriptions.verifyScheme(scheme)}
            {install && (
              <>
                {' '}
                {t.subscriptions.install} <code>{install}</code>
              </>
            )}
          </p>
          <pre id={`snippet-${id}`} tabindex={0} lang="en">
            {code}
          </pre>
          <p>
            <button type="button" hidden data-copy={`snippet-${id}`} data-copied={shared.common.copied}>
              {labelFor(shared.common.copy, title)}
            </button>
          </p>
        </details>
      ))}
    </Panel>
  );
}
