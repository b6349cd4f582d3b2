import { renderSVG } from 'uqr';
import type { SecondFactorStart } from '../../auth/staff/service';
import { Markup } from '../../platform/markup/markup';
import { ACCOUNT } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form } from '../ui/fields';
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

export function SecondFactorSetup({ view, start, fieldErrors }: SetupProps) {
  const { common } = sharedMessages(view);
  const t = messages(view);
  return (
    <Page {...{ view, fieldErrors }} title={t.setupTitle}>
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
              {common.shownOnce}. {t.setupCodesHint}
            </p>
            <ul class="codes" id="recovery-codes">
              {start.recoveryCodes.map((code) => (
                <li>
                  <code>{code}</code>
                </li>
              ))}
            </ul>
            <button type="button" hidden data-copy="recovery-codes" data-copied={common.copied}>
              {common.copy}
            </button>
          </section>
        )}
        <section>
          <Form view={view} action={`${ACCOUNT}/second-factor/confirm`}>
            <Field
              name="code"
              label={t.setupCode}
              hint={t.setupAgain}
              fieldErrors={fieldErrors}
              autocomplete="one-time-code"
              inputmode="numeric"
            />
            <Decision view={view} act={t.setupConfirm} back={ACCOUNT} isHarmless />
          </Form>
        </section>
      </div>
    </Page>
  );
}
