import { type ApiKey, listApiKeys, rotateApiKey } from '../../auth/keys/service';
import { notFound } from '../../platform/errors';
import { dayOf } from '../../platform/pharmacy-time';
import type { ManageContext } from '../http/env';
import { showOnce } from '../http/once';
import { KEYS } from '../http/paths';
import { Decision } from '../ui/confirm';
import { Choice, FaultSummary, Form } from '../ui/fields';
import { type Faults, hasFaults, tryForm } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { OVERLAPS, overlapOptions, readOverlap } from '../ui/overlap';
import { answerPage, viewOf } from '../ui/view';
import { ExpiryField, readExpiry } from './expiry';
import { isActive, keyLabel, type MadeKey } from './list-page';

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
  const words = view.words.keys;
  const { overlap, expiresAt } = typed ?? {
    overlap: 'day',
    expiresAt: key.expiresAt === null ? '' : dayOf(key.expiresAt),
  };
  const page = (
    <Page view={view} title={words.rotateTitle(key.name)}>
      <FaultSummary view={view} faults={faults} />
      <p>
        <code>{keyLabel(key)}</code>
      </p>
      <p>{words.rotateLead}</p>
      <Form view={view} class="wide" action={`${KEYS}/${key.id}/rotate`} once>
        <Choice
          name="overlap"
          label={words.overlap}
          options={overlapOptions(view.words)}
          value={overlap}
          faults={faults}
        />
        <ExpiryField view={view} value={expiresAt} faults={faults} />
        <Decision view={view} act={words.rotateSubmit} back={KEYS} />
      </Form>
    </Page>
  );
  return answerPage(c, page, hasFaults(faults) ? 400 : 200);
}

/** Makes the new key, which the list of keys shows this once. */
export async function rotate(c: ManageContext, keyId: string): Promise<Response> {
  const { form, words, ctx } = c.var;
  const typed = { overlap: form.text('overlap'), expiresAt: form.text('expires_at') };
  const overlap = readOverlap(typed.overlap);
  const { expiresAt, faults } = readExpiry(typed.expiresAt, ctx.now(), words);
  if (!overlap || hasFaults(faults)) {
    return answerRotate(c, keyId, typed, { ...(!overlap && { overlap: words.faults.overlap }), ...faults });
  }
  const key = await activeKey(c, keyId);
  const until = ctx.now() + OVERLAPS[overlap];
  const result = await tryForm(words, { key_overlap_running: 'overlap' }, () =>
    rotateApiKey(ctx, { keyId, overlapMs: OVERLAPS[overlap], expiresAt }),
  );
  if (result.faults) return answerRotate(c, keyId, typed, result.faults);
  const previousUntil = overlap === 'none' ? null : Math.min(until, key.expiresAt ?? until);
  return showOnce(c, KEYS, { name: key.name, key: result.value.apiKey, previousUntil } satisfies MadeKey);
}

async function activeKey(c: ManageContext, keyId: string): Promise<ApiKey> {
  const keys = await listApiKeys(c.var.ctx);
  const key = keys.find(({ id }) => id === keyId);
  if (!key || !isActive(key, c.var.ctx.now())) throw notFound();
  return key;
}
