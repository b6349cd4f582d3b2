import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { ROOT } from './paths.ts';

/** The file is beside wrangler.toml, so that paths in it mean the same. */
const WRITTEN = join(ROOT, 'wrangler.production-limits.toml');
const LIMITER = /name = "(\w+)"\nnamespace_id = "\d+"\nsimple = (\{[^}]*\})/g;
const VARIABLES = ['RETRY_SCHEDULE_SECONDS', 'REQUESTS_PER_MINUTE'];

/** Writes wrangler's local configuration with the limits and waits of production. @returns its path */
export function writeProductionLimits(): string {
  const [local = '', production = ''] = readFileSync(join(ROOT, 'wrangler.toml'), 'utf8').split('\n[env.production]\n');
  const limits = new Map([...production.matchAll(LIMITER)].map(([, name = '', simple = '']) => [name, simple]));
  const limited = local.replace(LIMITER, (whole, name: string, simple: string) =>
    whole.replace(simple, found(limits.get(name), name)),
  );
  const text = VARIABLES.reduce((config, name) => {
    const line = new RegExp(`^${name} = .*$`, 'm');
    return config.replace(line, found(line.exec(production)?.[0], name));
  }, limited);
  writeFileSync(WRITTEN, text);
  return WRITTEN;
}

function found(value: string | undefined, name: string): string {
  if (value === undefined) throw new StartError(`wrangler.toml has no ${name} for production.`);
  return value;
}
