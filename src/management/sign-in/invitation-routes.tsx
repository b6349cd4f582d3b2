import { Hono } from 'hono';
import { NAME_LENGTH_MAX } from '../../auth/limits';
import { acceptInvitation, getInvitation } from '../../auth/staff/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { HOME } from '../http/paths';
import { callerOf, keepSession } from '../http/session';
import type { FormState } from '../ui/fields';
import { type FieldErrors, hasFieldErrors, tryForm } from '../ui/form-errors';
import { sharedMessages } from '../ui/messages';
import { respondForm, viewOf } from '../ui/view';
import { InvitationPage } from './invitation-page';
import { messages } from './messages';
import { tokenOf, unlessGone } from './responses';

/** Needs no session: the link is the permission, and works once. Accepting signs in. */
export const invitationRoutes = new Hono<ManageEnv>()
  .get(
    '/invitation/:token',
    unlessGone('invitation', (c) => respondInvitation(c)),
  )
  .post('/invitation/:token', unlessGone('invitation', accept));

async function accept(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const shared = sharedMessages(c.var);
  const t = messages(c.var);
  const [name, password] = [form.text('name'), form.secret('password')];
  const fieldErrors: FieldErrors = {
    ...(!name && { name: shared.common.required(t.invitation.name) }),
    ...(name.length > NAME_LENGTH_MAX && { name: shared.fieldErrors.name_too_long }),
    ...(!password && { password: shared.common.required(t.password) }),
  };
  if (hasFieldErrors(fieldErrors)) return respondInvitation(c, { name, fieldErrors });
  const input = { token: tokenOf(c), name, password, caller: callerOf(c) };
  const result = await tryForm(c.var, {}, () => acceptInvitation(ctx, input));
  if (result.fieldErrors) return respondInvitation(c, { name, fieldErrors: result.fieldErrors });
  await keepSession(c, result.value);
  return redirectWithFlash(c, 'accepted', HOME);
}

async function respondInvitation(c: ManageContext, typed: FormState<'name'> = {}): Promise<Response> {
  const invitation = await getInvitation(c.var.ctx, tokenOf(c));
  return respondForm(c, <InvitationPage {...{ view: await viewOf(c), invitation, typed }} />, typed.fieldErrors);
}
