import { renderSVG } from 'uqr';
import type { SecondFactorStart } from '../../auth/staff/service';
import { Markup } from '../../platform/markup/markup';
import { ErrorSummary, Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import type { View } from '../ui/view';
import { messages } from './messages';

interface SetupProps {
  view: View;
  /** Missing after a wrong code: the secret is shown only once. */
  start?: SecondFactorStart;
  fieldErrors?: FieldErrors;
}

export function SecondFactorSetup({ view, start, fieldErrors = {} }: SetupProps) {
  const shared = sharedMessages(view);
  const t = messages(view);
  return (
    <Page view={view} title={t.setupTitle}>
      <ErrorSummary view={view} fieldErrors={fieldErrors} />
      <div class="sections">
        {start && (
          <section>
            <p>{t.setupScan}</p>
            {/* Safe as raw markup: an SVG of squares only, in which the encoded text does not appear. */}
            <div class="qr" role="img" aria-label={t.setupQr}>
              {new Markup(renderSVG(start.uri, { border: 2 }))}
            </div>
            <p>
              {t.setupType} <code class="secret">{start.secret.match(/.{1,4}/g)?.join(' ')}</code>
            </p>
          </section>
        )}
        {start && (
          <section>
            <h2>{t.setupCodes}</h2>
            <p>
              {shared.common.shownOnce}. {t.setupCodesHint}
            </p>
            <ul class="codes" id="recovery-codes">
              {start.recoveryCodes.map((code) => (
                <li>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
            <button type="button" hidden data-copy="recovery-codes" data-copied={shared.common.copied}>
              {shared.common.copy}
            </button>
          </section>
        )}
        <section>
          <Form view={view} action="/manage/account/second-factor/confirm">
            <Field
              name="code"
              label={t.setupCode}
              hint={t.setupAgain}
              fieldErrors={fieldErrors}
              autocomplete="one-time-code"
              inputmode="numeric"
            />
            <div class="acts">
              <button class="primary" type="submit">
                {t.setupConfirm}
              </button>
              <a class="button" href="/manage/account">
                {shared.common.cancel}
              </a>
            </div>
          </Form>
        </section>
      </div>
    </Page>
  );
}
