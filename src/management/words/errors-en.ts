/** Pages in the place of one that cannot be shown. */
import type { errorsDe } from './errors-de';

export const errorsEn: typeof errorsDe = {
  errors: {
    requestId: 'Id of this request',
    not_found: ['There is no such page', 'It may have moved, or the link is incomplete.'],
    forbidden: ['You may not do this', 'Ask an owner.'],
    stale_form: ['This page was out of date', 'Nothing was changed. Reload the page and try again.'],
    rate_limited: ['Too many attempts', 'Please wait a minute.'],
    conflict: [
      'That is not possible right now',
      'It does not fit how things stand; nothing was changed. Go back and reload the page.',
    ],
    invalid: ['We could not read that', 'Go back and try again.'],
    unavailable: ['The storage does not answer', 'Nothing was lost. Try again in a moment.'],
    internal: ['Something went wrong', 'It is our fault. Please tell us the id.'],
  },
};
