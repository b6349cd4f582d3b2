import { CloudflareError } from '../cloudflare/client.ts';
import type { Run } from './run.ts';
import { zoneIdOf } from './zones.ts';

interface Wanted {
  /** The id of the setting in Cloudflare's API. */
  id: string;
  /** Values that change nothing for the service; all of them are texts in the API. */
  good: readonly string[];
  why: string;
}

/** Settings of a zone that would change answers or keep callers away. The Worker cannot overrule them. */
const WANTED: readonly Wanted[] = [
  { id: 'browser_check', good: ['off'], why: 'it refuses programs by their User-Agent, such as that of Python' },
  {
    id: 'security_level',
    good: ['medium', 'high', 'low', 'essentially_off', 'off'],
    why: 'programs solve no challenge',
  },
  { id: 'email_obfuscation', good: ['off'], why: 'it hides the e-mail addresses on pages' },
  { id: 'rocket_loader', good: ['off'], why: 'it puts scripts into pages that their policy blocks' },
  { id: 'server_side_exclude', good: ['off'], why: 'it leaves out parts of pages' },
  { id: 'always_online', good: ['off'], why: 'it shows an archived copy while the service is away' },
  { id: 'min_tls_version', good: ['1.2', '1.3'], why: 'keys and health data pass' },
];

/**
 * Reads the settings of both zones and prints which of them to change. Writes nothing, because the settings belong to
 * the owner of the zone. Never makes a release fail.
 */
export async function tellZoneSettings(run: Run): Promise<void> {
  const { baseHost, shopZone } = run.names;
  for (const host of new Set([baseHost, shopZone])) {
    const what = `settings of the zone of ${host}`;
    try {
      const zoneId = await zoneIdOf(run, host);
      const settings = await run.cloudflare.read<{ id: string; value: unknown }[]>(`/zones/${zoneId}/settings`);
      const bots = await run.cloudflare.read<{ fight_mode?: boolean }>(`/zones/${zoneId}/bot_management`);
      if (!settings) run.did(what, 'not read');
      else tell(run, what, settings, bots?.fight_mode === true);
    } catch (error) {
      if (!(error instanceof CloudflareError)) throw error;
      run.did(what, `not read, check them by hand (docs/deploying.md): ${error.message}`);
    }
  }
}

function tell(run: Run, what: string, settings: readonly { id: string; value: unknown }[], fightsBots: boolean): void {
  const faults = WANTED.flatMap(({ id, good, why }) => {
    const value = settings.find((setting) => setting.id === id)?.value;
    return value === undefined || good.includes(String(value))
      ? []
      : [`${id} is ${value}: set it to ${good[0]}, ${why}`];
  });
  if (fightsBots) faults.push('Bot Fight Mode is on: turn it off, it keeps programs away');
  for (const fault of faults) run.did(what, `CHANGE ${fault}`);
  if (faults.length === 0) run.did(what, 'as they have to be');
}
