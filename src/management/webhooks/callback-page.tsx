import type { ApiKey } from '../../auth/keys/service';
import { callbackPathOf, keyPath, WEBHOOKS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Field, Form, ShownBefore } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import type { View } from '../ui/view';
import { type MadeSecret, NewSecret } from './list-page';
import { messages } from './messages';

interface CallbackProps {
  view: View;
  apiKey: ApiKey;
  url?: string;
  fieldErrors?: FieldErrors;
  /** The callback that was just made. */
  made?: MadeSecret | 'gone';
}

/** Asks where an integration is to be told what becomes of its order requests, or says where it is. */
export function CallbackPage({ view, apiKey, url, fieldErrors, made }: CallbackProps) {
  const { callbacks: t, subscriptions } = messages(view);
  const { callback } = apiKey;
  return (
    <Page
      view={view}
      title={t.of(apiKey.name)}
      fieldErrors={fieldErrors}
      back={{ path: keyPath(apiKey.id), label: apiKey.name }}
      isDialog={made === undefined}
    >
      {made === 'gone' && <ShownBefore view={view} />}
      {typeof made === 'object' && <NewSecret view={view} {...made} />}
      <p class="quiet">{t.lead}</p>
      {callback ? (
        <p>
          <a class="go" href={`${WEBHOOKS}/${callback.id}`}>
            {callback.url}
          </a>
        </p>
      ) : (
        <Form view={view} action={callbackPathOf(apiKey.id)} once>
          <Field name="url" label={subscriptions.url} hint={subscriptions.urlHint} form={{ url, fieldErrors }} />
          <Decision view={view} act={t.create} back={keyPath(apiKey.id)} isHarmless />
        </Form>
      )}
    </Page>
  );
}
