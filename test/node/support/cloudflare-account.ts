import { randomUUID } from 'node:crypto';

/** What an answer of Cloudflare's API holds. */
export interface Answer {
  status: number;
  result?: unknown;
  error?: { code: number; message: string };
}

const ok = (result: unknown): Answer => ({ status: 200, result });
const notFound = (code = 10007): Answer => ({ status: 404, error: { code, message: 'not found' } });

const CREATED_ON = '2026-01-01T00:00:00.000000Z';

interface Consumer {
  script: string;
  dead_letter_queue?: string;
  settings: Record<string, number>;
}

/** The state of an account with two zones, as Cloudflare would keep it. Tests change it as somebody else might have. */
export class Account {
  databases: { uuid: string; name: string; jurisdiction: string | null; migrated: boolean }[] = [];
  buckets: { name: string; jurisdiction: string }[] = [];
  queues: { queue_id: string; queue_name: string; jurisdiction: string | null; consumers: Consumer[] }[] = [];
  zones = [
    { id: 'zone-base', name: 'offizin.de' },
    { id: 'zone-shops', name: 'offizin-shops.de' },
  ];
  /** Settings of every zone, as a new one has them. */
  settings: Record<string, string> = {
    browser_check: 'on',
    security_level: 'medium',
    email_obfuscation: 'on',
    rocket_loader: 'off',
    always_online: 'off',
    min_tls_version: '1.0',
  };
  fightsBots = false;
  records: { zone: string; name: string; type: string; content: string; proxied: boolean }[] = [];
  fallbackOrigin: string | null = null;
  domains: { hostname: string; service: string }[] = [];
  routes: { zone: string; pattern: string; script: string }[] = [];
  /** Scripts by name. */
  scripts = new Map<string, Script>();
  /** Whether invocation logs can be turned off. */
  keepsInvocationLogs = false;

  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  /** All of it, to compare. */
  get text(): string {
    return JSON.stringify({ ...this, scripts: [...this.scripts] });
  }

  script(name: string): Script {
    const found = this.scripts.get(name) ?? new Script();
    this.scripts.set(name, found);
    return found;
  }

  /** One call of the REST API, carried out. */
  answer(method: string, path: string, query: URLSearchParams, body: Record<string, unknown>, eu: boolean): Answer {
    const account = `/accounts/${this.id}`;
    if (path === account) return ok({ id: this.id, name: 'Offizin GmbH' });
    const parts = path.slice(1).split('/');
    if (parts[0] === 'zones') return this.#zone(method, parts.slice(1), query, body);
    if (!path.startsWith(`${account}/`)) return notFound();
    const [kind, ...rest] = parts.slice(2);
    if (kind === 'd1') return this.#d1(method, rest.slice(1), query, body);
    if (kind === 'r2') return this.#r2(method, rest.slice(1), body, eu);
    if (kind === 'queues') return this.#queue(method, rest, query, body);
    if (kind === 'workers' && rest[0] === 'domains') {
      const [hostname, service] = [query.get('hostname'), query.get('service')];
      return ok(this.domains.filter((each) => each.hostname === hostname && (!service || each.service === service)));
    }
    if (kind === 'workers' && rest[0] === 'workers') {
      return this.scripts.has(rest[1] ?? '')
        ? ok({ id: rest[1], name: rest[1], subdomain: { enabled: false, previews_enabled: false } })
        : notFound();
    }
    if (kind === 'workers' && rest[0] === 'services') {
      const script = { id: rest[1], tag: 'tag-of-the-script', tags: [], last_deployed_from: 'wrangler' };
      return this.scripts.has(rest[1] ?? '')
        ? ok({ id: rest[1], default_environment: { environment: 'production', script } })
        : notFound(10090);
    }
    if (kind === 'workers' && rest[0] === 'scripts') return this.#script(method, rest.slice(1), body);
    return notFound();
  }

  #d1(method: string, [uuid, ...rest]: string[], query: URLSearchParams, body: Record<string, unknown>): Answer {
    if (uuid === undefined && method === 'POST') {
      const jurisdiction = body.jurisdiction === undefined ? null : String(body.jurisdiction);
      const made = { uuid: randomUUID(), name: String(body.name), jurisdiction, migrated: false };
      this.databases.push(made);
      return ok(made);
    }
    // The list tells no jurisdictions.
    if (uuid === undefined) {
      const named = this.databases.filter(({ name }) => name.includes(query.get('name') ?? ''));
      return ok(named.map(({ uuid: id, name }) => ({ uuid: id, name })));
    }
    const database = this.databases.find((each) => each.uuid === uuid);
    if (!database) return notFound(7404);
    if (rest.join('/') === 'time_travel/bookmark') return ok({ bookmark: `bookmark-${database.name}` });
    if (rest[0] === 'query') {
      database.migrated = true;
      return ok([{ results: [], success: true, meta: {} }]);
    }
    return ok(database);
  }

  #r2(method: string, [name]: string[], body: Record<string, unknown>, eu: boolean): Answer {
    const jurisdiction = eu ? 'eu' : 'default';
    if (method === 'POST') {
      this.buckets.push({ name: String(body.name), jurisdiction });
      return ok({});
    }
    const found = this.buckets.find((bucket) => bucket.name === name && bucket.jurisdiction === jurisdiction);
    return found ? ok(found) : notFound(10006);
  }

  #queue(method: string, [id, kind]: string[], query: URLSearchParams, body: Record<string, unknown>): Answer {
    if (id === undefined && method === 'POST') {
      const jurisdiction = body.jurisdiction === undefined ? null : String(body.jurisdiction);
      const made = { queue_id: randomUUID(), queue_name: String(body.queue_name), jurisdiction, consumers: [] };
      this.queues.push(made);
      return ok(made);
    }
    if (id === undefined) return ok(this.queues.filter(({ queue_name }) => query.getAll('name').includes(queue_name)));
    const queue = this.queues.find(({ queue_id }) => queue_id === id);
    if (!queue || kind !== 'consumers') return notFound();
    if (method === 'GET') return ok(queue.consumers);
    const consumer = {
      ...{ consumer_id: 'of-the-queue', type: 'worker', script_name: String(body.script_name) },
      script: String(body.script_name),
      ...(typeof body.dead_letter_queue === 'string' && { dead_letter_queue: body.dead_letter_queue }),
      settings: body.settings as Record<string, number>,
    };
    queue.consumers = [...queue.consumers.filter(({ script }) => script !== consumer.script), consumer];
    return ok({});
  }

  #zone(method: string, [id, ...rest]: string[], query: URLSearchParams, body: Record<string, unknown>): Answer {
    if (id === undefined) return ok(this.zones.filter(({ name }) => name === query.get('name')));
    const zone = this.zones.find((each) => each.id === id);
    if (!zone) return notFound(7003);
    const what = rest.join('/');
    if (what === 'dns_records' && method === 'POST') {
      this.records.push({ zone: id, ...(body as { name: string; type: string; content: string; proxied: boolean }) });
      return ok({});
    }
    if (what === 'dns_records')
      return ok(this.records.filter((each) => each.zone === id && each.name === query.get('name')));
    if (what === 'settings') return ok(Object.entries(this.settings).map(([id, value]) => ({ id, value })));
    if (what === 'bot_management') return ok({ fight_mode: this.fightsBots });
    if (what === 'workers/routes') return ok(this.routes.filter((route) => route.zone === id));
    if (what !== 'custom_hostnames/fallback_origin') return notFound();
    if (method === 'PUT') this.fallbackOrigin = String(body.origin);
    return this.fallbackOrigin === null ? notFound(1551) : ok({ origin: this.fallbackOrigin, status: 'active' });
  }

  #script(method: string, [name = '', kind, ...rest]: string[], body: Record<string, unknown>): Answer {
    if (method === 'PUT' && kind === undefined) {
      const script = this.script(name);
      const version = script.upload(body);
      script.traffic = [{ version_id: version, percentage: 100 }];
      return ok({ id: name, deployment_id: version });
    }
    // All files are there already.
    if (kind === 'assets-upload-session') return ok({ jwt: 'of-assets', buckets: [] });
    const script = this.scripts.get(name);
    if (!script) return notFound();
    const version = script.versions.find(({ id }) => id === rest[0]);
    if (kind === 'versions' && version)
      return ok({ ...version, resources: { bindings: [], script: {}, script_runtime: {} } });
    switch (`${method} ${[kind, ...rest].join('/')}`) {
      case 'GET settings':
        return ok({ bindings: script.databases.map((each) => ({ type: 'd1', ...each })) });
      case 'GET secrets':
        return ok(script.secrets.map((each) => ({ name: each, type: 'secret_text' })));
      case 'GET deployments':
        return ok({
          deployments: script.traffic.length === 0 ? [] : [{ created_on: CREATED_ON, versions: script.traffic }],
        });
      case 'POST deployments':
        script.traffic = body.versions as Script['traffic'];
        return ok({ id: randomUUID() });
      case 'GET versions':
        return ok({ items: [...script.versions].reverse() });
      case 'POST versions':
        return ok({ id: script.upload(body), metadata: {}, resources: { script: { etag: 'of-the-script' } } });
      case 'GET schedules':
        return ok({ schedules: script.crons.map((cron) => ({ cron })) });
      case 'PUT schedules':
        script.crons = (body as unknown as { cron: string }[]).map(({ cron }) => cron);
        return ok({});
      case 'GET script-settings':
        return ok({
          observability: { enabled: true, logs: { enabled: true, invocation_logs: script.invocationLogs } },
        });
      case 'PATCH script-settings':
        script.invocationLogs = this.keepsInvocationLogs;
        return ok({});
      case 'POST domains/changeset':
        return ok({ added: body, removed: [], updated: [], conflicting: [] });
      case 'PUT domains/records':
        this.domains = (body.origins as { hostname: string }[]).map(({ hostname }) => ({ hostname, service: name }));
        return ok([]);
      case 'PUT routes': {
        const routes = body as unknown as { pattern: string; zone_name: string }[];
        const zoneOf = (route: { zone_name: string }) =>
          this.zones.find((zone) => zone.name === route.zone_name)?.id ?? '';
        this.routes = routes.map((route) => ({ zone: zoneOf(route), pattern: route.pattern, script: name }));
        return ok(routes.map(({ pattern }) => pattern));
      }
      default:
        return ok({});
    }
  }
}

/** A Worker's script with its versions, the newest last. */
class Script {
  versions: { id: string; metadata: { created_on: string }; annotations: { 'workers/tag'?: string } }[] = [];
  traffic: { version_id: string; percentage: number }[] = [];
  secrets: string[] = [];
  /** Those that it is bound to. */
  databases: { name: string; id: string }[] = [];
  crons: string[] = [];
  invocationLogs = true;

  /** @returns the new version's id */
  upload({ tag, secrets, databases }: Record<string, unknown>): string {
    const id = randomUUID();
    this.versions.push({ id, metadata: { created_on: CREATED_ON }, annotations: { 'workers/tag': String(tag) } });
    this.databases = databases as Script['databases'];
    this.secrets = [...new Set([...this.secrets, ...(secrets as string[])])];
    return id;
  }
}
