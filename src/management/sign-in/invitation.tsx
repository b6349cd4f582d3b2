import { Hono } from 'hono';
import { NAME_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../auth/limits';
import { acceptInvitation, getInvitation, type OpenInvitation } from '../../auth/staff/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { done } from '../http/flash';
import { HOME } from '../http/paths';
import { callerOf, keepSession } from '../http/session';
import { FaultSummary, Field, Form } from '../ui/fields';
import { type Faults, hasFaults, tryForm } from '../ui/form-errors';
import { BarePage } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { answerPage, viewOf } from '../ui/view';
import { unlessGone } from './gone-page';
import { messages } from './messages';

/** Open to whoever has the link, once. Accepting signs in. */
export const invitationRoutes = new Hono<ManageEnv>()
  .get('/invitation/:token', (c) =>
    unlessGone(c, 'invitation_not_found', messages(c.var).invitation, async () =>
      answerInvitation(c, await getInvitation(c.var.ctx, c.req.param('token'))),
    ),
  )
  .post('/invitation/:token', (c) =>
    unlessGone(c, 'invitation_not_found', messages(c.var).invitation, async () => {
      const { form, ctx } = c.var;
      const shared = sharedMessages(c.var);
      const t = messages(c.var);
      const token = c.req.param('token');
      const [name, password] = [form.text('name'), form.secret('password')];
      const faults: Faults = {
        ...(!name && { name: shared.common.required(t.invitation.name) }),
        ...(name.length > NAME_LENGTH_MAX && { name: shared.fieldErrors.name_too_long }),
        ...(!password && { password: shared.common.required(t.invitation.password) }),
      };
      if (hasFaults(faults)) return answerInvitation(c, await getInvitation(ctx, token), { name, faults });
      const input = { headers: c.req.raw.headers, token, name, password, caller: callerOf(c) };
      const result = await tryForm(c.var, {}, () => acceptInvitation(ctx, input));
      if (result.faults) return answerInvitation(c, await getInvitation(ctx, token), { name, faults: result.faults });
      keepSession(c, result.value);
      return done(c, 'accepted', HOME);
    }),
  );

interface Typed {
  name: string;
  faults: Faults;
}

async function answerInvitation(c: ManageContext, invitation: OpenInvitation, typed?: Typed): Promise<Response> {
  const view = await viewOf(c);
  const shared = sharedMessages(view);
  const t = messages(view);
  const { name, faults = {} } = typed ?? {};
  const page = (
    <BarePage view={view} title={t.invitation.title}>
      <FaultSummary view={view} faults={faults} />
      <p>{t.invitation.lead(invitation.organizationName, shared.roles[invitation.role])}</p>
      <Form view={view} action={view.path}>
        <Field
          name="email"
          type="email"
          label={t.invitation.email}
          value={invitation.email}
          autocomplete="username"
          readonly
        />
        <Field
          name="name"
          label={t.invitation.name}
          hint={t.invitation.nameHint}
          value={name}
          faults={faults}
          autocomplete="name"
        />
        <Field
          name="password"
          type="password"
          label={t.invitation.password}
          hint={shared.passwordHint(PASSWORD_LENGTH_MIN)}
          faults={faults}
          autocomplete="new-password"
        />
        <button class="primary" type="submit">
          {t.invitation.submit}
        </button>
      </Form>
    </BarePage>
  );
  return answerPage(c, page, typed ? 400 : 200);
}
