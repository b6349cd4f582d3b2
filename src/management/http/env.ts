import type { Context as HonoContext } from 'hono';
import type { StaffSession } from '../../auth/staff/service';
import type { HttpEnv } from '../../platform/http';
import type { Form } from './form-data';
import type { Language } from './language';

/** What travels with a request for a page. */
export interface ManageEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & {
    language: Language;
    /** Goes into every form of the page (csrf.ts). */
    formToken: string;
    /** The body of a POST, read and checked. */
    form: Form;
    /** On the sign-in page that answers a form whose session is over; without `sealed` it was too much to carry. */
    resume?: { sealed: string | null; hadFile: boolean };
    /** Set behind `requireSession`. */
    session?: StaffSession;
    /** How many order requests wait for a decision, as far as anybody counts. */
    waiting?: number;
  };
}

export type ManageContext = HonoContext<ManageEnv>;
