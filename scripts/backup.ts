/**
 * `npm run backup`: asks the service by the operator API (scope `restore`) to back up every organization that has
 * changed, and waits until this is done. If the command is stopped, the service continues the backup.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { runCommand, StartError } from './errors.ts';
import { Operator } from './operator.ts';

const POLL_MS = 2_000;

interface State {
  state: 'running' | 'waiting';
  done_at: string | null;
  organizations: number;
  failure: string | null;
}

async function backUp(operator: Operator): Promise<void> {
  const before = await operator.call<State>('POST', '/backups');
  for (;;) {
    await delay(POLL_MS);
    const { state, done_at, organizations, failure } = await operator.call<State>('GET', '/backups');
    if (failure) throw new StartError(`The bucket of backups took nothing: ${failure}`);
    if (state === 'running') continue;
    if (done_at === before.done_at) throw new StartError('Not all is backed up. The service goes on in an hour.');
    console.log(`Backed up: ${organizations} organizations that had changed, and the journal.`);
    return;
  }
}

if (import.meta.main) await runCommand(() => backUp(new Operator()));
