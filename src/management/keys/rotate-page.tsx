import type { ApiKey } from '../../auth/keys/service';
import { KEYS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Form, RadioGroup } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { overlapOptions } from '../ui/overlap';
import type { View } from '../ui/view';
import { ExpiryField } from './expiry';
import { keyLabel } from './list-page';
import { messages } from './messages';

export interface TypedRotation {
  overlap: string;
  expiresAt: string;
}

interface RotateProps {
  view: View;
  apiKey: ApiKey;
  typed: TypedRotation;
  fieldErrors: FieldErrors;
}

export function RotatePage({ view, apiKey: key, typed: { overlap, expiresAt }, fieldErrors }: RotateProps) {
  const t = messages(view);
  return (
    <Page view={view} title={t.rotateTitle(key.name)} fieldErrors={fieldErrors} isDialog>
      <p>
        <code>{keyLabel(view, key)}</code>
      </p>
      <p>{t.rotateLead}</p>
      <Form view={view} action={`${KEYS}/${key.id}/rotate`} once>
        <RadioGroup name="overlap" label={t.overlap} options={overlapOptions(view)} form={{ overlap, fieldErrors }} />
        <ExpiryField view={view} value={expiresAt} fieldErrors={fieldErrors} />
        <Decision view={view} act={t.rotateSubmit} back={KEYS} />
      </Form>
    </Page>
  );
}
