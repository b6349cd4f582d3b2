import { type ApiKey, isActiveKey, listApiKeys, rotateApiKey } from '../../auth/keys/service';
import { notFound } from '../../platform/errors';
import { dayOf } from '../../platform/pharmacy-time';
import type { ManageContext } from '../http/env';
import { showOnce } from '../http/once';
import { KEYS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Choice, FaultSummary, Form } from '../ui/fields';
import { type Faults, hasFaults, tryForm } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { OVERLAPS, overlapOptions, readOverlap } from '../ui/overlap';
import { answerPage, viewOf } from '../ui/view';
import { ExpiryField, readExpiry } from './expiry';
import { keyLabel, type MadeKey } from './list-page';
import { messages } from './messages';

interface Typed {
  overlap: string;
  expiresAt: string;
}

/** Asks how long the old key stays valid and when the new one ends. */
export async function answerRotate(
  c: ManageContext,
  keyId: string,
  typed?: Typed,
  faults: Faults = {},
): Promise<Response> {
  const key = await activeKey(c, keyId);
  const view = await viewOf(c);
  const t = messages(view);
  const { overlap, expiresAt } = typed ?? {
    overlap: 'day',
    expiresAt: key.expiresAt === null ? '' : dayOf(key.expiresAt),
  };
  const page = (
    <Page view={view} title={t.rotateTitle(key.name)}>
      <FaultSummary view={view} faults={faults} />
      <p>
        <code>{keyLabel(key)}</code>
      </p>
      <p>{t.rotateLead}</p>
      <Form view={view} class="wide" action={`${KEYS}/${key.id}/rotate`} once>
        <Choice name="overlap" label={t.overlap} options={overlapOptions(view)} value={overlap} faults={faults} />
        <ExpiryField view={view} value={expiresAt} faults={faults} />
        <Decision view={view} act={t.rotateSubmit} back={KEYS} />
      </Form>
    </Page>
  );
  return answerPage(c, page, hasFaults(faults) ? 400 : 200);
}

/** Makes the new key, which the list of keys shows this once. */
export async function rotate(c: ManageContext, keyId: string): Promise<Response> {
  const { form, ctx } = c.var;
  const shared = sharedMessages(c.var);
  const typed = { overlap: form.text('overlap'), expiresAt: form.text('expires_at') };
  const overlap = readOverlap(typed.overlap);
  const { expiresAt, faults } = readExpiry(typed.expiresAt, ctx.now(), c.var);
  if (!overlap || hasFaults(faults)) {
    return answerRotate(c, keyId, typed, { ...(!overlap && { overlap: shared.fieldErrors.overlap }), ...faults });
  }
  const key = await activeKey(c, keyId);
  const until = ctx.now() + OVERLAPS[overlap];
  const result = await tryForm(c.var, { key_overlap_running: 'overlap' }, () =>
    rotateApiKey(ctx, { keyId, overlapMs: OVERLAPS[overlap], expiresAt }),
  );
  if (result.faults) return answerRotate(c, keyId, typed, result.faults);
  const previousUntil = overlap === 'none' ? null : Math.min(until, key.expiresAt ?? until);
  return showOnce(c, KEYS, { name: key.name, key: result.value.apiKey, previousUntil } satisfies MadeKey);
}

async function activeKey(c: ManageContext, keyId: string): Promise<ApiKey> {
  const keys = await listApiKeys(c.var.ctx);
  const key = keys.find(({ id }) => id === keyId);
  if (!key || !isActiveKey(key, c.var.ctx.now())) throw notFound();
  return key;
}
