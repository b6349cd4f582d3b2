import { env } from 'cloudflare:workers';
import { sweepRetention } from '../../src/order-requests/sweep';
import { rows, systemContext } from './world';

/** R2 with some of its methods replaced. */
export function filesWith(changed: object): R2Bucket {
  const { FILES } = env;
  const whole = {
    get: (key: string) => FILES.get(key),
    head: (key: string) => FILES.head(key),
    put: (key: string, value: ReadableStream | string, options?: R2PutOptions) => FILES.put(key, value, options),
    delete: (keys: string | string[]) => FILES.delete(keys),
    list: (options?: R2ListOptions) => FILES.list(options),
    ...changed,
  };
  return whole as unknown as R2Bucket;
}

/** Everything that lies in R2 but what operating leaves there. */
export async function allKeys(prefix = ''): Promise<string[]> {
  const { objects } = await env.FILES.list({ prefix });
  return objects.map(({ key }) => key).filter((key) => !key.startsWith('operations/') || prefix !== '');
}

/** Where a file lies in the trash. */
export async function placesInTrash(fileKey: string): Promise<string[]> {
  return (await allKeys('trash/')).filter((key) => key.endsWith(`/${fileKey}`));
}

const RUNS_MAX = 100;

/** A whole night of retention at one moment: runs until every organization had its turns. */
export async function retentionNight(now: number, changed: Partial<Env> = {}): Promise<void> {
  await rows('delete from sweep_cursors');
  for (let run = 0; run < RUNS_MAX; run += 1) {
    await sweepRetention(systemContext({ now: () => now, env: changed }).ctx);
    if ((await rows('select name from sweep_cursors where done_night is not null')).length > 0) return;
  }
  throw new Error('the night never ended');
}
