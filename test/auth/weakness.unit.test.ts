import { expect, test } from 'vitest';
import { weaknessOf } from '../../src/auth/staff/passwords/rules';

const about = { email: 'quittenbaum.1@example.com', name: 'Kim Öztürk', organizationName: 'Bärenbrunnen-Apotheke' };

test.each([
  ['passwordpassword', 'password_common'],
  ['P@ssw0rt12345', 'password_common'],
  ['Sommer2024Berlin!', 'password_common'],
  ['123412341234', 'password_pattern'],
  ['aaaaaaaaaaaaaaaaaaaa', 'password_pattern'],
  ['qwertzuiopqw', 'password_pattern'],
  ['1q2w3e4r5t6z', 'password_pattern'],
  // Of four letters, and of five.
  ['qvxvqvvqxxkv', 'password_pattern'],
  ['qvxvqvvqxxkm', null],
  ['kimoeztuerk123', 'password_personal'],
  ['Baerenbrunnen2024', 'password_personal'],
  ['quittenbaum-77', 'password_personal'],
  ['correct horse battery staple', null],
  ['Quark und Regenschirm', null],
])('the password %s is %s', (password, weakness) => expect(weaknessOf(password, about)).toBe(weakness));
