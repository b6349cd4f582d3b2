import { renderSVG } from 'uqr';
import type { SecondFactorStart } from '../../auth/staff/service';
import { FaultSummary, Field, Form } from '../ui/fields';
import type { Faults } from '../ui/form-errors';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';

interface SetupProps {
  view: View;
  /** Missing when a code was wrong: the secret was shown once. */
  start?: SecondFactorStart;
  faults?: Faults;
}

export function SecondFactorSetup({ view, start, faults = {} }: SetupProps) {
  const words = view.words.account;
  return (
    <Page view={view} title={words.setupTitle}>
      <FaultSummary view={view} faults={faults} />
      <div class="sections">
        {start && (
          <section>
            <p>{words.setupScan}</p>
            {/* An SVG made of squares only: the text that it stands for is encoded, not written. */}
            <div
              class="qr"
              role="img"
              aria-label={words.setupQr}
              dangerouslySetInnerHTML={{ __html: renderSVG(start.uri, { border: 2 }) }}
            />
            <p>
              {words.setupType} <code class="secret">{start.secret.match(/.{1,4}/g)?.join(' ')}</code>
            </p>
          </section>
        )}
        {start && (
          <section>
            <h2>{words.setupCodes}</h2>
            <p>
              {view.words.common.shownOnce}. {words.setupCodesHint}
            </p>
            <ul class="codes" id="recovery-codes">
              {start.recoveryCodes.map((code) => (
                <li>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
            <button type="button" hidden data-copy="recovery-codes" data-copied={view.words.common.copied}>
              {view.words.common.copy}
            </button>
          </section>
        )}
        <section>
          <Form view={view} action="/manage/account/second-factor/confirm">
            <Field
              name="code"
              label={words.setupCode}
              hint={words.setupAgain}
              faults={faults}
              autocomplete="one-time-code"
              inputmode="numeric"
            />
            <div class="buttons">
              <button class="primary" type="submit">
                {words.setupConfirm}
              </button>
              <a class="button" href="/manage/account">
                {view.words.common.cancel}
              </a>
            </div>
          </Form>
        </section>
      </div>
    </Page>
  );
}
