import { outsideAnswers } from '../support/outbound';

/** The environment of a deployment that looks at DNS and makes custom hostnames. */
export const DOMAINS: Partial<Env> & { SHOP_ZONE_TOKEN: string } = {
  DNS_RESOLVER: 'https://dns.example/dns-query',
  SHOP_ZONE_ID: 'zone-shops',
  SHOP_ZONE_TOKEN: 'token-of-the-zone',
};
/** As `DOMAINS`, where the operator makes the hostnames. */
export const DNS_ALONE: Partial<Env> = { DNS_RESOLVER: 'https://dns.example/dns-query' };
export const TARGET = 'connect.shops.localhost';

interface Hostname {
  id: string;
  hostname: string;
  status: string;
  ssl: { status: string };
}

/** The public DNS, and the custom hostnames of the shop zone at Cloudflare. */
export class Zone {
  readonly cnames = new Map<string, string>();
  readonly texts = new Map<string, string[]>();
  /** IPv6 addresses by name. */
  readonly addresses = new Map<string, string>();
  readonly hostnames = new Map<string, Hostname>();
  /** Each call to Cloudflare with the host that it is about, `POST rx.example.com`. */
  readonly calls: string[] = [];
  isCloudflareDown = false;
  #made = 0;

  constructor() {
    outsideAnswers(({ url, method, text, headers }) => {
      const { host, pathname, searchParams } = new URL(url);
      if (host === 'dns.example') return this.#look(searchParams.get('name') ?? '', searchParams.get('type') ?? '');
      const id = pathname.split('/').at(-1) ?? '';
      const name = this.#nameOf(id) ?? searchParams.get('hostname') ?? (text === '' ? id : JSON.parse(text).hostname);
      this.calls.push(`${method} ${name}`);
      if (this.isCloudflareDown || headers.get('Authorization') !== 'Bearer token-of-the-zone')
        return new Response('{"success":false}', { status: 403 });
      return this.#api(method, id, searchParams, text);
    });
  }

  /** What Cloudflare says of a host from now on. */
  says(hostname: string, status: string, certificate = 'active'): void {
    const found = this.hostnames.get(hostname);
    if (!found) throw new Error(`there is no custom hostname ${hostname}`);
    this.hostnames.set(hostname, { ...found, status, ssl: { status: certificate } });
  }

  /** The calls about a host. */
  callsOf(host: string): string[] {
    return this.calls.filter((call) => call.endsWith(` ${host}`));
  }

  #nameOf(id: string): string | undefined {
    return [...this.hostnames.values()].find((each) => each.id === id)?.hostname;
  }

  #look(name: string, type: string): Response {
    const alias = this.cnames.get(name);
    const address = this.addresses.get(name);
    const records: Record<string, readonly [number: number, found: string[]]> = {
      CNAME: [5, alias ? [`${alias}.`] : []],
      TXT: [16, (this.texts.get(name) ?? []).map((text) => `"${text}"`)],
      AAAA: [28, address ? [address] : []],
    };
    const [number, found] = records[type] ?? [1, []];
    return Response.json({
      Status: found.length > 0 ? 0 : 3,
      Answer: found.map((data) => ({ name, type: number, data })),
    });
  }

  #api(method: string, id: string, query: URLSearchParams, text: string): Response {
    const ok = (result: unknown) => Response.json({ success: true, result });
    if (method === 'POST') {
      const { hostname } = JSON.parse(text);
      if (this.hostnames.has(hostname))
        return Response.json({ success: false, errors: [{ code: 1406 }] }, { status: 409 });
      this.#made += 1;
      const made = { id: `hostname-${this.#made}`, hostname, status: 'pending', ssl: { status: 'pending_validation' } };
      this.hostnames.set(hostname, made);
      return ok(made);
    }
    if (id === 'custom_hostnames')
      return ok([...this.hostnames.values()].filter(({ hostname }) => hostname === query.get('hostname')));
    const found = [...this.hostnames.values()].find((each) => each.id === id);
    if (!found) return Response.json({ success: false }, { status: 404 });
    if (method === 'DELETE') this.hostnames.delete(found.hostname);
    if (method === 'PATCH') this.says(found.hostname, 'pending', 'pending_validation');
    return ok(this.hostnames.get(found.hostname) ?? { id });
  }
}
