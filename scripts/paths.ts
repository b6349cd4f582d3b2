import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');

/** Another directory makes an independent second service with its own data and secrets. */
const ownDir = process.env.OFFIZIN_STATE_DIR;
const dir = ownDir ? resolve(ownDir) : join(ROOT, '.wrangler');

/** The paths of everything that `npm start` stores. */
export const PATHS = {
  dir,
  /** D1, R2 and the queues. */
  state: join(dir, 'state'),
  /** The folder in which wrangler records the running Workers, so that they find each other. */
  registry: join(dir, 'registry'),
  demo: join(dir, 'demo.json'),
  log: join(dir, 'dev.log'),
  secrets: join(ownDir ? dir : ROOT, '.dev.vars'),
};
