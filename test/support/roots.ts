import { env } from 'cloudflare:workers';
import { readConfig } from '../../src/platform/config';
import type { Context } from '../../src/platform/context';

const NEW = `r2:${btoa('new-root-new-root-new-root-new-r')}`;

/** The bindings before a rotation, while there are both roots, and once the old one is gone. */
export const BEFORE: Partial<Env> = {};
export const DURING: Partial<Env> = { ROOT_SECRETS: `${NEW},${env.ROOT_SECRETS}` };
export const AFTER: Partial<Env> = { ROOT_SECRETS: NEW };
/** Well formed, under the id of the tests' root, and another one. */
export const WRONG: Partial<Env> = { ROOT_SECRETS: `r1:${btoa('another-root-another-root-anothe')}` };

/** The ids of the tests' root and of the one that replaces it. */
export const [OLD_ID, NEW_ID] = ['r1', 'r2'];

export function configured(changed: Partial<Env> = {}): Pick<Context, 'config'> {
  return { config: readConfig({ ...env, ...changed }) };
}
