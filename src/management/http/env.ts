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
    /** Token for every form of the page (check-form.ts). */
    formToken: string;
    /** The body of a POST, read and checked. */
    form: Form;
    /** Set by `requireSession`. */
    session?: StaffSession;
    /** The result of `sessionOf`, kept for the rest of the request. */
    found?: { session: StaffSession | null };
    /** Number of order requests that wait for a decision, up to `WAITING_COUNTED_MAX`. */
    waiting?: number;
    /** Number of orders to pack, up to `TO_PACK_COUNTED_MAX`. */
    toPack?: number;
    /** For owners: webhook subscriptions that stopped although nobody paused them. */
    stopped?: StoppedSubscription[];
    /** Whether the operator has switched off intake from platforms. */
    isIntakeOff?: boolean;
    /**
     * Version of the inbox. Set only for requests to the inbox, in place of `waiting`. While the version is the same,
     * the inbox shows the same requests.
     */
    inboxVersion?: string;
  };
}

export type ManageContext = HonoContext<ManageEnv>;
