import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '..');

/** A directory of its own gives a second service beside the first: other data, other secrets. */
const ownDir = process.env.OFFIZIN_STATE_DIR;
const dir = ownDir ? resolve(ownDir) : join(ROOT, '.wrangler');

/** Everything that `npm start` keeps. */
export const PATHS = {
  dir,
  /** D1, R2 and the queues. */
  state: join(dir, 'state'),
  demo: join(dir, 'demo.json'),
  log: join(dir, 'dev.log'),
  secrets: join(ownDir ? dir : ROOT, '.dev.vars'),
};
