import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Account } from './cloudflare-account.ts';

interface Said {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

const WORKER = 'offizin-production';

/** The deployed service, as far as a deployment asks it. */
export class Deployed {
  isReady = true;
  /** Checks that fail whatever version is asked. */
  readonly failing: string[] = [];
  /** Whether webhooks arrive. */
  isDelivering = true;
  readonly organizations: string[] = [];
  readonly hosts = new Map<string, string>();
  /** Ids of order requests by their references; those that were deleted stay. */
  readonly submitted = new Map<string, string>();
  readonly deleted: string[] = [];
  readonly #keys = new Map<string, string>();
  readonly #account: Account;

  constructor(account: Account) {
    this.#account = account;
  }

  answer({ method, headers }: IncomingMessage, url: URL, body: string): Said {
    const [, , host = '', ...parts] = url.pathname.split('/');
    const path = `${method} /${parts.join('/')}`;
    const sent = body === '' ? {} : JSON.parse(body);
    if (path === 'GET /readyz') return this.#readyz(String(headers['cloudflare-workers-version-overrides']));
    if (path === 'POST /api/v1/external-order') return this.#submit(host, String(headers.apikey), sent);
    if (path.startsWith('POST /api/operator/v1/organizations')) return this.#operate(parts.slice(4), sent);
    if (path.endsWith('/auth/token')) return { status: 200, body: { access_token: 'token' } };
    if (path.endsWith('/webhooks/deliveries')) {
      const status = this.isDelivering ? 'succeeded' : 'exhausted';
      return { status: 200, body: { data: this.submitted.size === 0 ? [] : [{ status }], next_cursor: null } };
    }
    if (method === 'DELETE') this.deleted.push(parts.at(-1) ?? '');
    return method === 'DELETE'
      ? { status: 200, body: { deleted: true } }
      : { status: 404, body: { code: 'not_found' } };
  }

  #readyz(override: string): Said {
    const { traffic } = this.#account.script(WORKER);
    const wanted = /^[\w-]+="([\w-]+)"$/.exec(override)?.[1];
    const isServed = traffic.some(({ version_id }) => version_id === wanted);
    const version = isServed && wanted ? wanted : traffic.find(({ percentage }) => percentage === 100)?.version_id;
    if (version === undefined) return { status: 404, body: {} };
    const failing = this.isReady ? this.failing : [...this.failing, 'schema'];
    const checks = {
      cron: { status: 'ok' },
      ...Object.fromEntries(failing.map((name) => [name, { status: 'failing' }])),
    };
    return { status: failing.length === 0 ? 200 : 503, headers: { 'X-Version': version }, body: { checks } };
  }

  #operate([orgId = '', kind]: string[], body: { hosts?: string[] }): Said {
    if (orgId === '') {
      const id = randomUUID();
      this.organizations.push(id);
      return { status: 201, body: { org_id: id } };
    }
    const [host] = body.hosts ?? [];
    if (kind === 'shops' && host) {
      if (this.hosts.has(host)) return { status: 409, body: { code: 'host_taken' } };
      this.hosts.set(host, orgId);
    }
    const key = `ofz_${randomUUID()}`;
    this.#keys.set(key, orgId);
    return { status: 201, body: { api_key: key, signing_secret: 'whsec_of-the-smoke-test' } };
  }

  #submit(host: string, key: string, { external_reference: reference }: { external_reference: string }): Said {
    if (!this.hosts.has(host)) return { status: 404, body: { code: 'not_found' } };
    if (this.#keys.get(key) !== this.hosts.get(host)) return { status: 401, body: { code: 'invalid_api_key' } };
    const known = this.submitted.get(reference);
    const id = known ?? randomUUID();
    this.submitted.set(reference, id);
    return { status: 200, headers: known ? { 'Idempotent-Replayed': 'true' } : {}, body: { id, status: 'pending' } };
  }
}
