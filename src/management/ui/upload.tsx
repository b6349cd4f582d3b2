import { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { Form, Labeled } from './fields';
import type { FieldErrors } from './form-errors';
import { textFor } from './lookup';
import { sharedMessages } from './messages';
import type { View } from './view';

export const UPLOAD_FIELD = 'prescription_file';

interface UploadProps {
  view: View;
  fieldErrors?: FieldErrors;
  /** Where the button sends a form that has more than the file. */
  action?: string;
}

/** Form to upload a prescription's PDF for the request or order at `path`. */
export function UploadForm({ view, path, fieldErrors }: Omit<UploadProps, 'action'> & { path: string }) {
  return (
    <Form view={view} action={`${path}/prescription`} withFile>
      <UploadFields view={view} fieldErrors={fieldErrors} />
    </Form>
  );
}

/** Its field and its button. */
export function UploadFields({ view, fieldErrors = {}, action }: UploadProps) {
  const { prescriptions: t } = sharedMessages(view);
  return (
    <>
      <Labeled
        name={UPLOAD_FIELD}
        label={t.uploadLabel}
        hint={t.uploadHint}
        error={fieldErrors[UPLOAD_FIELD]}
        control={(attributes) => <input {...attributes} type="file" accept="application/pdf,.pdf" />}
      />
      <button type="submit" formaction={action} formenctype={action === undefined ? undefined : 'multipart/form-data'}>
        {t.upload}
      </button>
    </>
  );
}

/**
 * Reads the chosen PDF and adds it.
 * @param refuse answers with the form's page and the file's error
 * @param then runs the use case and answers
 */
export async function upload(
  c: ManageContext,
  file: (bytes: Uint8Array) => Promise<unknown>,
  refuse: (fieldErrors: FieldErrors) => Promise<Response>,
  then: (run: () => Promise<unknown>) => Promise<Response>,
): Promise<Response> {
  const { form } = c.var;
  const { uploadErrors } = sharedMessages(c.var).prescriptions;
  if (form.isTooLarge) return refuse({ [UPLOAD_FIELD]: uploadErrors.prescription_too_large });
  const bytes = await form.file(UPLOAD_FIELD);
  if (!bytes) return refuse({ [UPLOAD_FIELD]: uploadErrors.none });
  try {
    return await then(() => file(bytes));
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code in uploadErrors)) throw error;
    return refuse({ [UPLOAD_FIELD]: textFor(uploadErrors, error.code) });
  }
}
