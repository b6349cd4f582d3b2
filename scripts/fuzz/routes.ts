import { createViteServer } from 'vitest/node';
import { ROOT } from '../paths.ts';
import { textImports } from '../text-imports.ts';

/** A route of the service's router. */
export interface Route {
  method: string;
  /** Whose host: the deployment's own (`base`) or a shop's. */
  space: 'base' | 'shop';
  /** `/api/operator/v1/organizations/:orgId` */
  path: string;
  /** Method, space and path, as the router has them. */
  name: string;
}

/** Never sent: an organization that is moved answers 503 for minutes. */
const NOT_SENT = 'POST /base/api/operator/v1/organizations/:orgId/move';

/** All routes of the Worker but that one, from its router, so that the list includes new ones. */
export async function routesOfWorker(): Promise<Route[]> {
  const vite = await createViteServer({
    configFile: false,
    root: ROOT,
    appType: 'custom',
    logLevel: 'error',
    server: { middlewareMode: true, watch: null, ws: false, hmr: false },
    optimizeDeps: { noDiscovery: true },
    plugins: [textImports],
  });
  try {
    // SAFETY: the module's own type is the Worker's; this is the part of it that is used.
    const { app } = (await vite.ssrLoadModule('/src/app.ts')) as {
      app: { routes: { method: string; path: string }[] };
    };
    const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => routeOf(method, path));
    return [...new Map(routes.map((route) => [route.name, route])).values()].filter(({ name }) => name !== NOT_SENT);
  } finally {
    await vite.close();
  }
}

function routeOf(method: string, path: string): Route {
  const [, space = '', ...segments] = path.split('/');
  if (space !== 'base' && space !== 'shop') throw new Error(`${path} is on no known host`);
  const rest = segments.join('/').replace(/\/$/, '');
  return { method, space, path: `/${rest}`, name: `${method} ${path}` };
}

/** The route that a path belongs to: the one with the fewest parameters. */
export function routeAt(routes: readonly Route[], method: string, pathname: string): Route | undefined {
  return routes
    .filter((route) => route.method === method && patternOf(route.path).test(pathname))
    .toSorted((a, b) => a.path.split(':').length - b.path.split(':').length)[0];
}

const patterns = new Map<string, RegExp>();

function patternOf(path: string): RegExp {
  const known = patterns.get(path) ?? new RegExp(`^${path.replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`);
  patterns.set(path, known);
  return known;
}

/** What a parameter of a path names: an order, a shop. The same word in every address space. */
export function kindOf(path: string, parameter: string): string {
  const name = parameter.replace(/^:|\{.*$/g, '');
  const segments = path.split('/');
  const before = segments[segments.findIndex((segment) => segment.replace(/\{.*$/, '') === `:${name}`) - 1] ?? '';
  // Names of parameters, then words that stand before one.
  const byName: Record<string, string> = {
    orgId: 'organizations',
    p1Id: 'products',
    shopId: 'shops',
    host: 'hosts',
    keyId: 'keys',
  };
  const byPath: Record<string, string> = {
    'order-requests': 'requests',
    'external-order': 'requests of a platform',
    subscriptions: 'webhooks',
  };
  return byName[name] ?? byPath[before] ?? before;
}
