import type { ManageContext } from '../http/env';
import { RESUME_FIELD } from '../http/resume';
import { Hidden } from '../ui/hidden';
import { Say } from '../ui/parts';
import { messages } from './messages';

/** Hidden field with the encrypted values of the ended session's form; also kept after a wrong password. */
export function ResumeField({ c }: { c: ManageContext }) {
  const sealed = c.var.resume ? c.var.resume.sealed : c.var.form?.text(RESUME_FIELD);
  return sealed ? <Hidden name={RESUME_FIELD} value={sealed} /> : null;
}

/** Tells whether the typed values were kept. */
export function ResumeNotice({ c }: { c: ManageContext }) {
  const { resume } = c.var;
  const { resume: t } = messages(c.var);
  if (!resume) return null;

  return (
    <Say tone="wait" role="status">
      <p>{t.ended}</p>
      <p>{resume.sealed === null ? t.tooMuch : t.kept}</p>
      {resume.hadFile && <p>{t.file}</p>}
    </Say>
  );
}
