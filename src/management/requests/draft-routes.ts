import { Hono } from 'hono';
import { discardDraft, saveReview } from '../../order-requests/service';
import type { ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { idOf, requestPath } from '../http/paths';
import { hasFieldErrors } from '../ui/form-errors';
import { pathKeeping } from './kept-lines';
import { decideRequest, readTyped, respondReview } from './responses';
import type { ReviewState } from './review-state';
import { type TypedForm, typedForm } from './typed-form';

/** What somebody prepares for the one who decides: buttons of the form of a request. */
export const draftRoutes = new Hono<ManageEnv>()
  .post(
    '/:id/draft',
    once(
      (c) => requestPath(idOf(c)),
      (c) => {
        const typed = typedForm(c.var);
        const { lines, fieldErrors } = readTyped(c, typed);
        if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
        const { acknowledged } = typed;
        const payment = typed.payment || null;
        let draft = '';
        return decideRequest(c, {
          run: async () => {
            const version = typed.draft || null;
            draft = await saveReview(c.var.ctx, { id: idOf(c), lines, acknowledged, payment, version });
          },
          typed: () => withoutDraft(typed),
          onDone: async () =>
            redirectWithFlash(c, 'review_saved', await pathKeeping(c, { ...typed, lines: [], draft })),
        });
      },
    ),
  )
  .post('/:id/draft/discard', (c) => {
    const typed = typedForm(c.var);
    return decideRequest(c, {
      run: () => discardDraft(c.var.ctx, { id: idOf(c), version: typed.draft || null }),
      typed: () => withoutDraft(typed),
      onDone: async () =>
        redirectWithFlash(c, 'review_discarded', await pathKeeping(c, { ...typed, lines: [], draft: '' })),
    });
  });

/** Sent once more, it replaces what the page now says is there. */
function withoutDraft({ draft: _, ...typed }: TypedForm): ReviewState {
  return typed;
}
