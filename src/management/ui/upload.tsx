import { AppError } from '../../platform/errors';
import type { ManageContext } from '../http/env';
import { Form } from './fields';
import type { FieldErrors } from './form-errors';
import { textFor } from './lookup';
import { sharedMessages } from './messages';
import type { View } from './view';

const FIELD = 'prescription_file';

/** A PDF that staff hold in their hands, for the request or order at `path`. */
export function UploadForm({ view, path, fieldErrors = {} }: { view: View; path: string; fieldErrors?: FieldErrors }) {
  const shared = sharedMessages(view);
  const fault = fieldErrors[FIELD];
  return (
    <Form view={view} action={`${path}/prescription`} withFile>
      <div class={fault ? 'field wrong' : 'field'}>
        <label for={FIELD}>{shared.prescriptions.uploadLabel}</label>
        <p class="hint" id={`${FIELD}-hint`}>
          {shared.prescriptions.uploadHint}
        </p>
        {fault && (
          <p class="fault" id={`${FIELD}-fault`}>
            {fault}
          </p>
        )}
        <input
          id={FIELD}
          name={FIELD}
          type="file"
          accept="application/pdf,.pdf"
          aria-describedby={fault ? `${FIELD}-hint ${FIELD}-fault` : `${FIELD}-hint`}
          aria-invalid={fault ? 'true' : undefined}
        />
      </div>
      <button type="submit">{shared.prescriptions.upload}</button>
    </Form>
  );
}

/**
 * Files the chosen PDF.
 * @param refuse answers with the page it stands on and what is wrong with the file
 * @param then runs the act and answers
 */
export async function upload(
  c: ManageContext,
  file: (bytes: Uint8Array) => Promise<unknown>,
  refuse: (fieldErrors: FieldErrors) => Promise<Response>,
  then: (run: () => Promise<unknown>) => Promise<Response>,
): Promise<Response> {
  const { form } = c.var;
  const { uploadErrors } = sharedMessages(c.var).prescriptions;
  if (form.isTooLarge) return refuse({ [FIELD]: uploadErrors.prescription_too_large });
  const bytes = await form.file(FIELD);
  if (!bytes) return refuse({ [FIELD]: uploadErrors.none });
  try {
    return await then(() => file(bytes));
  } catch (error) {
    if (!(error instanceof AppError) || !(error.code in uploadErrors)) throw error;
    return refuse({ [FIELD]: textFor(uploadErrors, error.code) });
  }
}
