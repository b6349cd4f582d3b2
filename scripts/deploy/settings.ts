import { StartError } from '../errors.ts';
import { type QueueConsumer, writtenConfig, zoneRoutes } from './config.ts';
import { findQueue } from './resources.ts';
import { type Run, scriptPath } from './run.ts';
import { isCustomDomain, routeOf } from './zones.ts';

/** Cron, base host, routes, consumers: wrangler sets them where one differs from wrangler.toml. */
export async function setTriggers(run: Run): Promise<void> {
  const differing = await differingTriggers(run);
  if (differing.length > 0) {
    const at = ['--env', run.environment, '--config', writtenConfig(run.environment)];
    await run.wrangler(['triggers', 'deploy', ...at]);
    const left = run.isDryRun ? [] : await differingTriggers(run);
    if (left.length > 0) throw new StartError(`After wrangler triggers deploy these still differ: ${left.join(', ')}.`);
  }
  run.did('triggers', differing.length > 0 ? `set: ${differing.join(', ')}` : 'there');
}

async function differingTriggers(run: Run): Promise<string[]> {
  const { cloudflare, config, worker } = run;
  const found = await cloudflare.read<{ schedules: { cron: string }[] }>(`${scriptPath(run)}/schedules`);
  const crons = (found?.schedules ?? []).map(({ cron }) => cron);
  const consumers: string[] = [];
  for (const consumer of config.queues.consumers ?? []) {
    if (!(await isConsumed(run, consumer))) consumers.push(`consumer of ${consumer.queue}`);
  }
  const routes: string[] = [];
  for (const route of zoneRoutes(config)) {
    if ((await routeOf(run, route)) !== worker) routes.push(`route ${route.pattern}`);
  }
  return [
    ...(crons.sort().join() === [...(config.triggers.crons ?? [])].sort().join() ? [] : ['cron']),
    ...((await isCustomDomain(run)) ? [] : ['base host']),
    ...routes,
    ...consumers,
  ];
}

/** Whether the Worker consumes a queue, as its configuration says. */
export async function isConsumed(run: Run, wanted: QueueConsumer): Promise<boolean> {
  const queue = await findQueue(run, wanted.queue);
  const consumer = queue?.consumers?.find(({ script, service }) => script === run.worker || service === run.worker);
  if (!consumer || (consumer.dead_letter_queue || undefined) !== wanted.dead_letter_queue) return false;
  const { batch_size, max_retries, max_wait_time_ms, max_concurrency } = consumer.settings ?? {};
  const waitMs = wanted.max_batch_timeout === undefined ? undefined : 1000 * wanted.max_batch_timeout;
  const pairs = [
    [batch_size, wanted.max_batch_size],
    [max_retries, wanted.max_retries],
    [max_wait_time_ms, waitMs],
    [max_concurrency, wanted.max_concurrency],
  ];
  return pairs.every(([is, shall]) => shall === undefined || is === shall);
}

interface ScriptSettings {
  observability?: { logs?: { invocation_logs?: boolean } };
}

/** Invocation logs hold whole addresses, and `?apikey=` is one: that they are off is read back, since wrangler only warns. */
export async function turnInvocationLogsOff(run: Run): Promise<void> {
  const path = `${scriptPath(run)}/script-settings`;
  const isOff = async () =>
    (await run.cloudflare.read<ScriptSettings>(path))?.observability?.logs?.invocation_logs === false;
  const wasOff = await isOff();
  if (!wasOff) {
    const logs = { enabled: true, invocation_logs: false };
    await run.cloudflare.write('PATCH', path, { observability: { enabled: true, logs } }, {});
    if (!run.isDryRun && !(await isOff())) {
      throw new StartError(
        'Invocation logs stay on: turn them off in the dashboard (the Worker, Settings, Observability) at once. They hold API keys that stand in addresses.',
      );
    }
  }
  run.did('invocation logs', wasOff ? 'off' : 'turned off');
}
