import { type AppError, invalidInput } from '../../../platform/errors';
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from '../../limits';
import { type About, weaknessOf } from './rules';

/** @throws AppError that points to the field and has the kind of weakness as its code (rules.ts) */
export function assertGoodPassword(password: string, about: About, pointer = '/password'): void {
  const length = [...password].length;
  if (length < PASSWORD_LENGTH_MIN) throw fault(pointer, 'password_too_short', `At least ${PASSWORD_LENGTH_MIN}.`);
  if (password.length > PASSWORD_LENGTH_MAX)
    throw fault(pointer, 'password_too_long', `At most ${PASSWORD_LENGTH_MAX}.`);
  const weakness = weaknessOf(password, about);
  if (weakness)
    throw fault(pointer, weakness, 'Too easy to guess. Use several words that have nothing to do with you.');
}

/** An error at one field of a form. */
export function fault(pointer: string, code: string, message: string): AppError {
  return invalidInput([{ pointer, code, message }]);
}
