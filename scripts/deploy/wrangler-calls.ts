import type { RunWrangler } from '../cloudflare/wrangler.ts';
import type { Run } from './run.ts';

/** The calls that each of wrangler's commands makes, as recorded with wrangler 4.155: what a dry run says of them. */
function callsOf({ cloudflare: { account }, worker }: Run, args: readonly string[]): string[] {
  const script = `${account}/workers/scripts/${worker}`;
  const triggers = [
    `GET ${account}/workers/workers/${worker}`,
    `POST ${script}/subdomain`,
    `POST ${script}/domains/changeset?replace_state=true`,
    `PUT ${script}/domains/records`,
    `PUT ${script}/routes`,
    `PUT ${script}/schedules`,
    `POST ${account}/queues/{queue_id}/consumers, or PUT …/{consumer_id}`,
  ];
  const assets = `POST ${script}/assets-upload-session`;
  const settings = `PATCH ${script}/script-settings`;
  const command = args.slice(0, 2).join(' ');
  if (command.startsWith('d1')) return [`POST ${account}/d1/database/{database_id}/query`];
  if (command === 'versions upload') return [assets, `POST ${script}/versions`];
  if (command === 'versions deploy') return [`POST ${script}/deployments`, settings];
  if (command === 'triggers deploy') return triggers;
  return [assets, `PUT ${script}`, settings, ...triggers];
}

/** Says what wrangler would do. */
export function dryWrangler(run: () => Run): RunWrangler {
  return async (args, stdin) => {
    const { say } = run();
    say(`would  wrangler ${args.join(' ')}${stdin === undefined ? '' : '   (secrets come by a pipe)'}`);
    for (const call of callsOf(run(), args)) say(`         ${call}`);
    return [];
  };
}
