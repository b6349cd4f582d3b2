import { Hono } from 'hono';
import { addRequestNote, answerQuestion, askQuestion } from '../../order-requests/service';
import { QUESTION_CODES } from '../../orders/service';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { once } from '../http/once';
import { idOf, requestPath } from '../http/paths';
import { hasFieldErrors } from '../ui/form-errors';
import { keptPath, pathKeeping } from './kept-lines';
import { messages } from './messages';
import { decideRequest, redirectToNext, respondReview } from './responses';
import { textFault } from './text-faults';
import { type TypedForm, typedForm } from './typed-form';

const ID_MAX = 64;

/** Questions, answers and notes: buttons of the form of a request, so that all else that is typed there stays. */
export const timelineRoutes = new Hono<ManageEnv>()
  .post('/:id/needs-info', (c) => {
    const typed = typedForm(c.var);
    const code = QUESTION_CODES.find((each) => each === typed.info_code) ?? 'other';
    const fieldErrors = textFault(c.var, 'info_note', typed.info_note, messages(c.var).infoNote);
    if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
    return decideRequest(c, {
      run: () => askQuestion(c.var.ctx, { id: idOf(c), code, text: typed.info_note }),
      typed: () => typed,
      onDone: async () => {
        const here = await keptPath(c, { ...typed, info_code: '', info_note: '' });
        return here === null ? redirectToNext(c, 'info_noted') : redirectWithFlash(c, 'info_noted', here);
      },
    });
  })
  .post('/:id/answer', (c) => {
    const typed = typedForm(c.var);
    const questionId = c.var.form.text('question').slice(0, ID_MAX);
    const { [questionId]: answer = '', ...answers } = typed.answers;
    const fieldErrors = textFault(c.var, `answer-${questionId}`, answer, messages(c.var).answer);
    if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
    return writeDown(c, typed, { ...typed, answers }, 'info_settled', () =>
      answerQuestion(c.var.ctx, { id: idOf(c), questionId, answer }),
    );
  })
  .post(
    '/:id/note',
    once(
      (c) => requestPath(idOf(c)),
      (c) => {
        const typed = typedForm(c.var);
        const fieldErrors = textFault(c.var, 'note', typed.note, messages(c.var).note);
        if (hasFieldErrors(fieldErrors)) return respondReview(c, { ...typed, fieldErrors });
        return writeDown(c, typed, { ...typed, note: '' }, 'note_saved', () =>
          addRequestNote(c.var.ctx, { id: idOf(c), text: typed.note }),
        );
      },
    ),
  );

/** @param rest what stays in the form */
function writeDown(
  c: ManageContext,
  typed: TypedForm,
  rest: TypedForm,
  flash: 'info_settled' | 'note_saved',
  run: () => Promise<unknown>,
): Promise<Response> {
  return decideRequest(c, {
    run,
    typed: () => typed,
    onDone: async () => redirectWithFlash(c, flash, await pathKeeping(c, rest)),
  });
}
