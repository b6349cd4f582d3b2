import type { D1Database } from '../../../scripts/cloudflare/d1.ts';
import type { RunWrangler } from '../../../scripts/cloudflare/wrangler.ts';
import { type DeployConfig, readDeployConfig, SIGNATURES_CONFIG } from '../../../scripts/deploy/config.ts';
import type { Queue } from '../../../scripts/deploy/resources.ts';
import { StartError } from '../../../scripts/errors.ts';
import type { Cloud } from './cloudflare.ts';

/** Makes the calls that wrangler 4.155 was seen to make, in its order, without its bundle and its start of a second each. */
export function standInWrangler(cloud: Cloud, main: DeployConfig, mainWorker: string): RunWrangler {
  const { CLOUDFLARE_API_BASE_URL: base, CLOUDFLARE_API_TOKEN: token, CLOUDFLARE_ACCOUNT_ID: id } = cloud.env;
  const account = `/accounts/${id}`;

  const call = async <T = unknown>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(base + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new StartError('wrangler ended with 1');
    });
    const { success, result } = (await answer.json()) as { success: boolean; result: unknown };
    if (!success) throw new StartError('wrangler ended with 1');
    return result as T;
  };

  const triggers = async (config: DeployConfig, worker: string) => {
    const script = `${account}/workers/scripts/${worker}`;
    const routes = (config.routes ?? []).filter((route) => typeof route === 'object');
    const domains = routes.filter(({ custom_domain }) => custom_domain).map(({ pattern }) => ({ hostname: pattern }));
    await call('POST', `${script}/subdomain`, { enabled: false });
    if (routes.length > 0) {
      await call(
        'PUT',
        `${script}/routes`,
        routes.filter(({ custom_domain }) => !custom_domain),
      );
      await call('POST', `${script}/domains/changeset?replace_state=true`, domains);
      await call('PUT', `${script}/domains/records`, { override_existing_dns_record: true, origins: domains });
    }
    for (const consumer of config.queues.consumers ?? []) {
      const [queue] = (await call<Queue[]>('GET', `${account}/queues?page=1&name=${consumer.queue}`)).filter(
        ({ queue_name }) => queue_name === consumer.queue,
      );
      const { max_batch_size, max_retries, max_batch_timeout = 0, max_concurrency } = consumer;
      const settings = {
        batch_size: max_batch_size,
        max_retries,
        max_wait_time_ms: 1000 * max_batch_timeout,
        max_concurrency,
      };
      const has = queue?.consumers?.some((each) => each.script === worker);
      await call(has ? 'PUT' : 'POST', `${account}/queues/${queue?.queue_id}/consumers${has ? '/c' : ''}`, {
        type: 'worker',
        script_name: worker,
        dead_letter_queue: consumer.dead_letter_queue,
        settings,
      });
    }
    await call(
      'PUT',
      `${script}/schedules`,
      (config.triggers.crons ?? []).map((cron) => ({ cron })),
    );
  };

  return async (args, stdin) => {
    const [command, sub = ''] = args;
    const config = args.includes(SIGNATURES_CONFIG) ? readDeployConfig('production', SIGNATURES_CONFIG) : main;
    const worker = config === main ? mainWorker : (config.name ?? '');
    const script = `${account}/workers/scripts/${worker}`;
    const tag = args[args.indexOf('--tag') + 1];
    const databases = config.d1_databases.map(({ binding, database_name }) => ({
      name: binding,
      id: cloud.account.databases.find(({ name }) => name === database_name)?.uuid,
    }));
    const upload = { tag, secrets: stdin === undefined ? [] : Object.keys(JSON.parse(stdin)), databases };
    if (command === 'd1') {
      const name = sub === 'execute' ? args[2] : args[3];
      const [database] = (await call<D1Database[]>('GET', `${account}/d1/database?name=${name}`)).filter(
        (each) => each.name === name,
      );
      await call('POST', `${account}/d1/database/${database?.uuid}/query`, { sql: 'select 1' });
      return;
    }
    if (command === 'triggers') await triggers(config, worker);
    else if (command === 'deploy') {
      await call('PUT', script, upload);
      await call('PATCH', `${script}/script-settings`, { observability: { logs: { invocation_logs: false } } });
      await triggers(config, worker);
    } else if (sub === 'upload') {
      await call('POST', `${script}/versions`, upload);
    } else {
      const versions = args.flatMap((arg) => {
        const [, version, percentage] = /^([\w-]+)@(\d+)%$/.exec(arg) ?? [];
        return version === undefined ? [] : [{ version_id: version, percentage: Number(percentage) }];
      });
      await call('POST', `${script}/deployments`, { strategy: 'percentage', versions });
      await call('PATCH', `${script}/script-settings`, { observability: { logs: { invocation_logs: false } } });
    }
  };
}
