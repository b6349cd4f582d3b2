import { env } from 'cloudflare:workers';
import { readConfig } from '../../src/platform/config';
import type { Context } from '../../src/platform/context';

const ID = env.KEY_PEPPERS.split(':')[0];
const NEW = 'p2:bmV3LXBlcHBlci1uZXctcGVwcGVyLW5ldy1wZXBwZXI=';

/** The bindings before a rotation, while both peppers are in the ring, and once the old one is gone. */
export const BEFORE: Partial<Env> = {};
export const DURING: Partial<Env> = { KEY_PEPPERS: `${NEW},${env.KEY_PEPPERS}` };
export const AFTER: Partial<Env> = { KEY_PEPPERS: NEW };

/** The ids of the tests' pepper and of the one that it is replaced by. */
export const [OLD_ID, NEW_ID] = [String(ID), 'p2'];

export function configured(changed: Partial<Env> = {}): Pick<Context, 'config'> {
  return { config: readConfig({ ...env, ...changed }) };
}
