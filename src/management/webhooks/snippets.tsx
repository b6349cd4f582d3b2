import { SNIPPETS } from '../../webhooks/service';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { messages } from './messages';

/** Examples of signature verification by language. They are the same files that the tests run. */
export function VerifySnippets({ view }: { view: View }) {
  const { common } = sharedMessages(view);
  const { subscriptions: t } = messages(view);
  return (
    <Panel title={t.verifyTitle} isWide>
      <p class="hint">{t.verifyLead}</p>
      {SNIPPETS.map(({ id, title, scheme, install, code }) => (
        <details class="fold" name="snippets">
          <summary lang="en">{title}</summary>
          <p class="hint">
            {t.verifyScheme(scheme)}
            {install && (
              <>
                {' '}
                {t.install} <code>{install}</code>
              </>
            )}
          </p>
          <pre id={`snippet-${id}`} tabindex={0} lang="en">
            {code}
          </pre>
          <p>
            <button type="button" hidden data-copy={`snippet-${id}`} data-copied={common.copied}>
              {labelFor(common.copy, title)}
            </button>
          </p>
        </details>
      ))}
    </Panel>
  );
}
