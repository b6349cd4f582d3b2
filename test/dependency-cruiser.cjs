// What may import what, for `npm run structure` and test/node/architecture.test.ts.

/** Layers, from the top down: a module imports only from lower layers, never from a slice of its own layer. */
const LAYERS = [
  ['index'],
  ['app'],
  ['management', 'public-api', 'connector', 'operator', 'outside'],
  ['wire'],
  ['restore'],
  ['health'],
  ['reports'],
  ['order-requests'],
  ['orders'],
  ['messages'],
  ['inventory', 'prescriptions', 'auth', 'idempotency'],
  ['webhooks', 'tenants', 'search'],
  ['catalog', 'audit', 'directory'],
  ['codes', 'signatures'],
  ['platform'],
];
const ADAPTERS = LAYERS[2];
/** The import within a layer: a subscription's address must not be a shop's own, and tenants' tables know those. */
const SIDEWAYS = { webhooks: ['tenants'] };

/** Layers of management below its routes and areas. */
const SHARED_ROOMS = ['ui', 'http', 'client'];

const within = (slices) => `^src/(${slices.join('|')})(/|\\.tsx?$)`;
const STORE = '/store(|-[a-z-]+)\\.ts$';
const TESTS = '(^|/)test/';
const runs = { dependencyTypesNot: ['type-only'] };
const rule = (name, from, to) => ({ name, severity: 'error', from, to });

const downwards = LAYERS.flatMap((slices, layer) =>
  slices.map((slice) => {
    const notBelow = LAYERS.slice(0, layer + 1)
      .flat()
      .filter((other) => other !== slice && !SIDEWAYS[slice]?.includes(other));
    return rule(`${slice}: imports go down`, { path: within([slice]) }, { path: within(notBelow) });
  }),
);

const management = [
  rule(
    'management: areas do not know each other',
    { path: '^src/management/([^/]+)/', pathNot: `^src/management/(${SHARED_ROOMS.join('|')})/` },
    { path: '^src/management/', pathNot: `^src/management/(limits\\.ts$|($1|${SHARED_ROOMS.join('|')})/)` },
  ),
  ...SHARED_ROOMS.map((room, place) =>
    rule(
      `management/${room}: imports go down`,
      { path: `^src/management/${room}/` },
      { path: '^src/management/', pathNot: `^src/management/(limits\\.ts$|(${SHARED_ROOMS.slice(place).join('|')})/)` },
    ),
  ),
];

module.exports = {
  forbidden: [
    rule('no circles', {}, { circular: true }),
    rule('every import is there', { pathNot: '^src/platform/markup/assets' }, { couldNotResolve: true }),
    rule('every slice has its layer', { path: '^src/', pathNot: within(LAYERS.flat()) }, {}),
    ...downwards,
    ...management,
    rule('adapters are imported by app.ts alone', { path: '^src/index\\.ts$' }, { path: within(ADAPTERS) }),
    rule(
      'webhooks know audit, directory and the tables of tenants',
      { path: '^src/webhooks/' },
      { path: '^src/', pathNot: '^src/(webhooks|audit|directory|platform)/|^src/tenants/tables\\.ts$' },
    ),
    rule('audit knows no slice', { path: '^src/audit/' }, { path: '^src/', pathNot: '^src/(audit|platform)/' }),
    // Adapters that read in the round trip that also tells who calls, and pages that name types and numbers.
    rule(
      'adapters and wire formats call use cases, not stores',
      {
        path: within([...ADAPTERS, 'wire']),
        pathNot: [
          '^src/connector/authenticate\\.ts$',
          '^src/outside/routes\\.tsx$',
          '^src/management/(http/session|ui/frame|orders/list-page|products/(list-page|product-table))\\.tsx?$',
          '^src/management/(requests/(routes|inbox-page|review-page)|shops/pages|webhooks/(log-page|parts))\\.tsx$',
          '^src/wire/webhooks\\.ts$',
        ],
      },
      { path: STORE, ...runs },
    ),
    rule(
      'limits import nothing but times and limits',
      { path: '/limits\\.ts$' },
      { pathNot: '^src/platform/(time|limits)\\.ts$' },
    ),
    rule(
      'only stores, tables and platform/data know Drizzle',
      {
        path: '^src/',
        pathNot: `${STORE}|/tables\\.ts$|^src/platform/data/`,
      },
      { path: 'node_modules/drizzle-orm/' },
    ),
    rule('stores take what they bind, never a context', { path: STORE }, { path: '^src/platform/context\\.ts$' }),
    rule(
      'statements are made in stores',
      { path: '^src/', pathNot: `${STORE}|^src/platform/` },
      { path: '^src/platform/data/statements\\.ts$', ...runs },
    ),
    rule(
      'only adapters, app.ts, middleware and platform/http know Hono',
      {
        path: '^src/',
        pathNot: `${within(ADAPTERS)}|^src/app\\.ts$|^src/platform/(http/http|markup/[\\w-]+)\\.tsx?$|/middleware\\.tsx?$`,
      },
      { path: 'node_modules/(hono|@hono)/' },
    ),
    rule(
      'rules are pure: no database, no context, no ids, no files',
      { path: '/(rules|retry|sign|money)\\.ts$' },
      {
        path: `^src/platform/(data/db|context|http/http|ids|files|queue/enqueue|http/rate-limit)\\.ts$|${STORE}|/tables\\.ts$`,
        ...runs,
      },
    ),
    rule(
      'rows are enqueued after a commit, by consumers and by sweeps',
      { path: '^src/', pathNot: '/(after-commit|record|consumer|sweep)\\.ts$' },
      { path: '^src/platform/queue/enqueue\\.ts$', ...runs },
    ),
    rule('the product knows no test', { pathNot: TESTS }, { path: TESTS }),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default'] },
  },
};
