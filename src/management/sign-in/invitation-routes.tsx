import { Hono } from 'hono';
import { NAME_LENGTH_MAX } from '../../auth/limits';
import { acceptInvitation, getInvitation, type OpenInvitation } from '../../auth/staff/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { HOME } from '../http/paths';
import { callerOf, keepSession } from '../http/session';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondPage, viewOf } from '../ui/view';
import { InvitationPage, type TypedPerson } from './invitation-page';
import { messages } from './messages';
import { unlessGone } from './responses';

/** Needs no session: the link is the permission, and works once. Accepting signs in. */
export const invitationRoutes = new Hono<ManageEnv>()
  .get('/invitation/:token', (c) =>
    unlessGone(c, 'invitation_not_found', messages(c.var).invitation, async () =>
      respondInvitation(c, await getInvitation(c.var.ctx, c.req.param('token'))),
    ),
  )
  .post('/invitation/:token', (c) =>
    unlessGone(c, 'invitation_not_found', messages(c.var).invitation, async () => {
      const { form, ctx } = c.var;
      const shared = sharedMessages(c.var);
      const t = messages(c.var);
      const token = c.req.param('token');
      const [name, password] = [form.text('name'), form.secret('password')];
      const fieldErrors: FieldErrors = {
        ...(!name && { name: shared.common.required(t.invitation.name) }),
        ...(name.length > NAME_LENGTH_MAX && { name: shared.fieldErrors.name_too_long }),
        ...(!password && { password: shared.common.required(t.invitation.password) }),
      };
      if (hasFieldErrors(fieldErrors))
        return respondInvitation(c, await getInvitation(ctx, token), { name, fieldErrors });
      const input = { token, name, password, caller: callerOf(c) };
      const result = await tryForm(c.var, {}, () => acceptInvitation(ctx, input));
      if (result.fieldErrors)
        return respondInvitation(c, await getInvitation(ctx, token), { name, fieldErrors: result.fieldErrors });
      keepSession(c, result.value);
      return redirectWithFlash(c, 'accepted', HOME);
    }),
  );

async function respondInvitation(c: ManageContext, invitation: OpenInvitation, typed?: TypedPerson): Promise<Response> {
  const page = <InvitationPage view={await viewOf(c)} invitation={invitation} typed={typed} />;
  return respondPage(c, page, typed ? 400 : 200);
}
