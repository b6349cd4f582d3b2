import type { Context as HonoContext } from 'hono';
import type { StaffSession } from '../../auth/staff/sign-in/session';
import type { HttpEnv } from '../../platform/http/http';
import type { StoppedSubscription } from '../../webhooks/log/store';
import type { Form } from './form-data';
import type { Language } from './language';

/** Variables of a request to the interface. */
export interface ManageEnv extends HttpEnv {
  Variables: HttpEnv['Variables'] & {
    language: Language;
    /** Goes into every form of the page (csrf.ts). */
    formToken: string;
    /** The body of a POST, read and checked. */
    form: Form;
    /** Set behind `requireSession`. */
    session?: StaffSession;
    /** What `sessionOf` found, which asks once. */
    found?: { session: StaffSession | null };
    /** How many order requests wait for a decision, up to `WAITING_COUNTED_MAX`. */
    waiting?: number;
    /** How many orders wait to be packed, up to `TO_PACK_COUNTED_MAX`. */
    toPack?: number;
    /** For owners: webhook subscriptions to which nothing is posted although nobody paused them. */
    stopped?: StoppedSubscription[];
    /** While the operator takes nothing in from platforms. */
    isIntakeOff?: boolean;
    /** Of the inbox, in its place of `waiting`: while it is the same, so is all that the inbox shows of requests. */
    inboxVersion?: string;
  };
}

export type ManageContext = HonoContext<ManageEnv>;
