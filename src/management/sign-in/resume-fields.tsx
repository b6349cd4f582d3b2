import type { ManageContext } from '../http/env';
import { RESUME_FIELD } from '../http/resume';
import { messages } from './messages';

/** What was typed when the session ended, encrypted: part of the sign-in form, also after a wrong password. */
export function ResumeField({ c }: { c: ManageContext }) {
  const sealed = c.var.resume ? c.var.resume.sealed : c.var.form?.text(RESUME_FIELD);
  return sealed ? <input type="hidden" name={RESUME_FIELD} value={sealed} /> : null;
}

/** Says what happened to what was typed. */
export function ResumeNotice({ c }: { c: ManageContext }) {
  const { resume } = c.var;
  const t = messages(c.var);
  if (!resume) return null;

  return (
    <div class="summary note" role="status">
      <p>{t.resume.ended}</p>
      <p>{resume.sealed === null ? t.resume.tooMuch : t.resume.kept}</p>
      {resume.hadFile && <p>{t.resume.file}</p>}
    </div>
  );
}
