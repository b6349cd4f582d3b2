import { env } from 'cloudflare:workers';
import { readHealth, watch } from '../../src/health/watch';
import { actingAs } from '../../src/platform/context';
import { type Call, outsideAnswers } from '../support/outbound';
import { systemContext } from '../support/world';

const ALERT_URL = 'https://alerts.example.com/offizin';
const MINUTE = 60_000;

/** What is posted to ALERT_URL. */
export interface Told {
  id: string;
  type: 'alert_began' | 'alert_ended' | 'heartbeat';
  check: string | null;
  status: string;
  code: string | null;
  figure: number | null;
}

/** The deployment as its operator sees it, minute by minute, with a clock of the test's own. */
export class Watched {
  now: number;
  changed: Partial<Env> = {};
  readonly calls: Call[];
  /** The cron has stopped. */
  isStopped = false;
  accepts = true;

  constructor(now = Date.now()) {
    this.now = now;
    this.calls = outsideAnswers(() => new Response(null, { status: this.accepts ? 204 : 500 }));
  }

  get context() {
    return systemContext({ now: () => this.now, env: { ALERT_URL, ...this.changed } });
  }

  /** So many minutes of the cron. */
  async minutes(count: number): Promise<void> {
    for (let minute = 0; minute < count; minute += 1) {
      this.now += MINUTE;
      if (!this.isStopped) await this.run();
    }
  }

  async run(): Promise<void> {
    const { ctx, settled } = this.context;
    await watch(ctx);
    await settled();
  }

  async checks() {
    return readHealth(actingAs(this.context.ctx, { kind: 'operator', name: 'test' }));
  }

  /** What was posted, heartbeats left out. */
  get told(): Told[] {
    return this.posts.filter(({ type }) => type !== 'heartbeat');
  }

  get posts(): Told[] {
    return this.calls.filter(({ url }) => url === ALERT_URL).map(({ text }) => JSON.parse(text));
  }
}

/** Forgets all that isolates have told, as a new deployment. */
export async function forgetAll(): Promise<void> {
  const { objects } = await env.FILES.list({ prefix: 'operations/' });
  if (objects.length > 0) await env.FILES.delete(objects.map(({ key }) => key));
}
