import { SNIPPETS } from '../../webhooks/service';
import type { View } from '../ui/view';

/** How to verify a signature, language by language, one open at a time: the files that the tests run. */
export function VerifySnippets({ view }: { view: View }) {
  const { webhooks: words, common } = view.words;
  return (
    <section class="panel wide">
      <h2>{words.verifyTitle}</h2>
      <p class="hint">{words.verifyLead}</p>
      {SNIPPETS.map(({ id, title, scheme, install, code }) => (
        <details class="fold" name="snippets">
          <summary lang="en">{title}</summary>
          <p class="hint">
            {words.verifyScheme(scheme)}
            {install && (
              <>
                {' '}
                {words.install} <code>{install}</code>
              </>
            )}
          </p>
          <pre id={`snippet-${id}`} tabindex={0} lang="en">
            {code}
          </pre>
          <p>
            <button type="button" hidden data-copy={`snippet-${id}`} data-copied={common.copied}>
              {common.copy}
              <span class="unseen">: {title}</span>
            </button>
          </p>
        </details>
      ))}
    </section>
  );
}
