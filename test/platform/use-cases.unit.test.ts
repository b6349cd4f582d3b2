import { expect, test } from 'vitest';
import { ROLES, type Role, roleHolds, SCOPES, type Scope } from '../../src/platform/access';
import type { Actor, Context } from '../../src/platform/context';
import { openDatabase } from '../../src/platform/data/db';

const MODULES = import.meta.glob<Record<string, unknown>>(
  [
    '../../src/*/**/*.ts',
    '!../../src/{management,public-api,connector,operator,outside,wire,platform,codes}/**',
    '!../../src/**/*.d.ts',
  ],
  { eager: true },
);
/** What begins with a request, a message or the clock. */
const CALLERS = import.meta.glob<string>(
  ['../../src/{app,index}.ts', '../../src/{management,public-api,connector,operator,outside}/**/*.{ts,tsx}'],
  { eager: true, query: '?raw', import: 'default' },
);

/** A scope; members of one of these roles; the system, or the operator; the operator, or an owner of that organization. */
type Right = Scope | Role[] | 'system' | 'operator' | 'operator or own owner';

const OWNER: Role[] = ['owner'];
const PRESCRIPTIONS: Role[] = ['owner', 'pharmacist'];
const MEMBERS: Role[] = [...ROLES];

/** Who needs more than one right stands at each. */
const USE_CASES: [Right, string[]][] = [
  [
    'products.read',
    [
      'inventory/getOffer',
      'inventory/getProduct',
      'inventory/findInCatalog',
      'inventory/listProducts',
      'inventory/searchCatalog',
      'reports/exportMovements',
      'reports/readProduct',
      'tenants/listShops',
    ],
  ],
  [
    'products.write',
    [
      'inventory/addToInventory',
      'inventory/createProduct',
      'inventory/joinProducts',
      'inventory/recountInUnit',
      'inventory/attachProduct',
      'inventory/detachProduct',
      'inventory/setOverrides',
      'inventory/updateProduct',
      'inventory/changeProducts',
    ],
  ],
  [
    'inventory.read',
    [
      'inventory/browseInventory',
      'inventory/exportInventory',
      'inventory/listInventory',
      'inventory/getInventoryItem',
      'inventory/listMovements',
      'order-requests/findProductsFor',
      'order-requests/globalSearch',
      'orders/findProductsForOrder',
    ],
  ],
  [
    'inventory.write',
    [
      'inventory/changeInventory',
      'inventory/changeStock',
      'inventory/continueImport',
      'inventory/keepImport',
      'inventory/listImports',
      'inventory/namesInImport',
      'inventory/readFailedLines',
      'inventory/readImport',
      'inventory/removeFromInventory',
    ],
  ],
  [
    'order_requests.read',
    [
      'order-requests/findProductsFor',
      'order-requests/getDecision',
      'order-requests/getOrderRequest',
      'order-requests/getSubmitted',
      'order-requests/globalSearch',
      'order-requests/listOrderRequests',
      'order-requests/nextOpenRequest',
      'order-requests/readDecided',
      'order-requests/readInbox',
      'order-requests/readReview',
    ],
  ],
  [
    'order_requests.write',
    [
      'order-requests/approveOrderRequest',
      'order-requests/createOrderRequest',
      'order-requests/deleteOrderRequest',
      'order-requests/addRequestNote',
      'order-requests/answerQuestion',
      'order-requests/askQuestion',
      'order-requests/rejectOrderRequest',
      'order-requests/reopenOrderRequest',
    ],
  ],
  [
    'external_orders.submit',
    [
      'inventory/listOffered',
      'order-requests/readSentRequest',
      'order-requests/submitOrderRequest',
      'order-requests/supplementOrderRequest',
      'order-requests/withdrawOrderRequest',
    ],
  ],
  [
    'orders.read',
    [
      'audit/listAudit',
      'order-requests/globalSearch',
      'order-requests/previewExchange',
      'order-requests/readDispensing',
      'orders/exportDesk',
      'orders/findProductsForOrder',
      'orders/findBatch',
      'orders/getOrder',
      'orders/getLeavingOrder',
      'orders/getOrderDetail',
      'orders/getOpenPaymentLink',
      'orders/getPaymentLink',
      'orders/listOrders',
      'orders/orderOfLabel',
      'orders/readBulk',
      'orders/readDesk',
      'orders/readPapers',
      'orders/readTour',
      'orders/previewSubstitution',
      'orders/listExpected',
    ],
  ],
  [
    'orders.write',
    [
      'orders/addOrderNote',
      'orders/arrangeTour',
      'orders/changeOrder',
      'orders/createPaymentLink',
      'orders/deleteOrder',
      'orders/deliverOrder',
      'orders/markOrderPaid',
      'orders/refundOrder',
      'orders/stepOrders',
      'orders/upsertOrder',
    ],
  ],
  ['customers.read', ['order-requests/exportCustomer', 'orders/findCustomers']],
  ['customers.write', ['order-requests/eraseCustomerData', 'order-requests/listKeptRecords']],
  [
    'prescriptions.read',
    ['order-requests/listPrescriptions', 'prescriptions/readPrescription', 'prescriptions/readPrescriptionFile'],
  ],
  [
    'prescriptions.write',
    [
      'order-requests/approvePrescriptionFor',
      'order-requests/completeSignature',
      'order-requests/setAsidePrescription',
      'order-requests/undoSetAside',
      'prescriptions/approvePrescription',
      'prescriptions/coverInstead',
      'prescriptions/fetchAgain',
      'prescriptions/getPrescription',
      'prescriptions/recordSignature',
      'prescriptions/setPrescriptionAside',
      'prescriptions/takePrescriptionBack',
    ],
  ],
  ['events.read', ['webhooks/listEvents']],
  [
    'webhooks.read',
    [
      'webhooks/countUndelivered',
      'webhooks/readTestDelivery',
      'webhooks/getSubscription',
      'webhooks/listDeliveries',
      'webhooks/readHealth',
      'webhooks/readSubscription',
      'webhooks/readWebhooks',
    ],
  ],
  ['webhooks.write', ['webhooks/recover', 'webhooks/redeliver', 'webhooks/sendTestEvent']],
  [
    'reports.read',
    [
      'reports/readDayFigures',
      'reports/readFigures',
      'reports/readSoldProducts',
      'reports/readToday',
      'reports/summarize',
    ],
  ],
  [
    PRESCRIPTIONS,
    [
      'order-requests/addPrescription',
      'orders/addOrderPrescription',
      'prescriptions/uploadPrescription',
      'prescriptions/requireViewable',
      'prescriptions/viewPrescription',
    ],
  ],
  [
    MEMBERS,
    [
      'auth/staff/changePassword',
      'auth/staff/confirmSecondFactor',
      'auth/staff/disableSecondFactor',
      'auth/staff/ownerNames',
      'auth/staff/signOutEverywhere',
      'auth/staff/startSecondFactor',
      'order-requests/discardDraft',
      'order-requests/exchangeProduct',
      'order-requests/saveReview',
      'orders/packByHand',
      'orders/setBatch',
      'orders/returnOrder',
      'orders/scanForOrder',
      'orders/shelveOrder',
      'orders/substituteProduct',
      'orders/arrive',
      'orders/expectOn',
      'orders/cancelRest',
      'orders/scanArrival',
      'orders/splitLine',
      'orders/unpackLine',
    ],
  ],
  [
    OWNER,
    [
      'auth/staff/signInToTest',
      'restore/beginOwnExport',
      'restore/listOwnExports',
      'restore/openOwnExport',
      'audit/auditLogOf',
      'auth/keys/listApiKeys',
      'auth/keys/readKeys',
      'auth/keys/rotateApiKey',
      'auth/keys/setCallback',
      'auth/keys/setKeyStock',
      'auth/keys/setSubmittedEvents',
      'auth/staff/changeRole',
      'auth/staff/listMembers',
      'auth/staff/revokeMember',
      'order-requests/setLegalHold',
      'orders/holdCustomer',
      'reports/exportAuditLog',
      'reports/readAuditLog',
      'reports/readOnboarding',
      'order-requests/sendSample',
      'messages/messageSettingsOf',
      'messages/setNotices',
      'messages/wantsNotices',
      'messages/saveMessageSettings',
      'tenants/getOrganization',
      'tenants/checkHostNow',
      'tenants/getShop',
      'tenants/listOwnShops',
      'tenants/removeShopHost',
      'tenants/setShopActive',
      'tenants/updateShop',
      'webhooks/deleteSubscription',
      'webhooks/endOverlap',
      'webhooks/getDelivery',
      'webhooks/pauseSubscription',
      'webhooks/resumeSubscription',
      'webhooks/rotateSecret',
      'webhooks/readSettings',
      'webhooks/refusalOfUrl',
      'webhooks/createCallback',
      'webhooks/updateSubscription',
    ],
  ],
  [
    'operator',
    [
      'catalog/importCatalog',
      'order-requests/replayErasures',
      'reports/listTenants',
      'reports/readUsage',
      'signatures/sendList',
      'signatures/tellLists',
      'tenants/createOrganization',
      'tenants/listMovedHosts',
      'tenants/patchShop',
      'tenants/listPendingHosts',
      'health/leftUnderRoots',
      'health/readHealth',
      'restore/askForBackup',
      'restore/beginEnd',
      'restore/stopEnd',
      'restore/beginExport',
      'restore/continueImport',
      'restore/giveImportUp',
      'restore/importPart',
      'restore/openExport',
      'restore/readBackup',
      'restore/readExport',
      'restore/beginRestore',
      'restore/exportChanged',
      'restore/listLosses',
      'restore/listLostFiles',
      'restore/markRestored',
      'restore/readExported',
      'restore/replayFor',
      'restore/replayJournal',
    ],
  ],
  [
    'operator or own owner',
    [
      'auth/keys/createApiKey',
      'auth/keys/revokeApiKey',
      'auth/staff/inviteMember',
      'auth/staff/issueReset',
      'auth/staff/issueResetByEmail',
      'tenants/addShopHost',
      'tenants/createShop',
      'tenants/openTestOrganization',
      'tenants/updateOrganization',
      'webhooks/createSubscription',
    ],
  ],
  [
    'system',
    [
      'audit/sweepJournal',
      'auth/staff/rewriteEmailEntries',
      'auth/staff/rewriteSecondFactors',
      'auth/staff/sweepEmailEntries',
      'auth/staff/sweepPageData',
      'inventory/sweepImports',
      'inventory/sweepReservations',
      'order-requests/endCheck',
      'order-requests/giveCheckUp',
      'prescriptions/beginCheck',
      'prescriptions/sweepChecks',
      'messages/consumeEmailEvents',
      'messages/sweepEmails',
      'directory/rewriteEmailEntries',
      'directory/sweepLeft',
      'health/rewriteUnderRoots',
      'health/watch',
      'directory/sweepEntries',
      'idempotency/sweepKeys',
      'order-requests/rewriteFingerprints',
      'order-requests/sweepRetention',
      'order-requests/sweepSearch',
      'prescriptions/consumeFetches',
      'prescriptions/rewriteMarks',
      'reports/sumDeliveries',
      'restore/backUp',
      'restore/endUnusedTests',
      'restore/sweepEnds',
      'restore/sweepExports',
      'restore/writeExports',
      'restore/sweepRestores',
      'prescriptions/sweepFetches',
      'prescriptions/sweepFileDeletions',
      'prescriptions/sweepMarks',
      'prescriptions/sweepOrphanFiles',
      'prescriptions/sweepTrash',
      'tenants/checkHosts',
      'tenants/sweepTenantEntries',
      'webhooks/consumeDeliveries',
      'webhooks/endOldEvents',
      'webhooks/sweepDeliveries',
    ],
  ],
];

/** Use cases that check no right, with the reason. */
const FREE: [string, string[]][] = [
  [
    'they find out who calls, so nobody is known yet',
    [
      'auth/keys/assertMayTry',
      'auth/keys/authenticateToken',
      'auth/keys/countFailedKey',
      'auth/keys/exchangeKey',
      'auth/keys/isUsableKey',
      'auth/keys/noteKeyUse',
      'auth/staff/choicesOf',
      'auth/staff/choosePharmacy',
      'auth/staff/readSessionCookie',
      'auth/staff/signIn',
      'auth/staff/signOut',
      'auth/staff/verifySecondFactor',
      'directory/atHost',
      'directory/inOrganization',
      'tenants/isTestAnywhere',
      'tenants/isTestOrganization',
    ],
  ],
  ['it carries out a command, which asks', ['idempotency/answerOnce']],
  [
    'they say or ask whether the deployment works, and nothing of an organization',
    ['health/assertNotLost', 'health/lookAfterCron', 'health/noteAnswer', 'health/noteDeadLetters', 'health/noteJob'],
  ],
  [
    'a link from an e-mail or a message is the right',
    [
      'auth/staff/acceptInvitation',
      'auth/staff/getInvitation',
      'auth/staff/getReset',
      'auth/staff/useReset',
      'orders/getPaymentPage',
      'messages/getOptOut',
      'messages/optOut',
      'restore/confirmEnd',
      'restore/openEndFile',
      'restore/readEnd',
    ],
  ],
  [
    'the data of the page of whoever is signed in',
    ['auth/staff/leavePageData', 'auth/staff/readPageData', 'auth/staff/takePageDataOnce', 'audit/wasFormSent'],
  ],
  [
    'statements and reads for the batch of a use case of another slice, which has asked',
    ['inventory/tellHolders', 'inventory/testAssortment', 'tenants/testOrganizationOf'],
  ],
  ['pure: a rule, or another shape of what was read', ['order-requests/noteSearchedWrite']],
];

type UseCase = (ctx: Context, ...input: unknown[]) => unknown;

/** Every function that slices export, by slice and name: `orders/changeOrder`, `auth/keys/createApiKey`. */
const functions = new Map<string, UseCase>(
  Object.entries(MODULES).flatMap(([path, module]) =>
    Object.entries(module)
      .filter((entry): entry is [string, UseCase] => typeof entry[1] === 'function')
      .map(([name, useCase]): [string, UseCase] => [`${sliceOf(path)}/${name}`, useCase]),
  ),
);

/** Those that take a context, and that callers import. */
function calledFromOutside(): string[] {
  const imports = Object.values(CALLERS).flatMap((text) => [
    ...text.matchAll(/^import \{([^}]*)\} from '((?:\.\.?\/)+[^']+)'/gm),
  ]);
  const names = imports.flatMap(([, list = '', path = '']) =>
    list
      .split(',')
      .map((each) => each.trim().split(' as ')[0] ?? '')
      .map((name) => `${sliceOf(path)}/${name}`),
  );
  return [...new Set(names)].filter((name) => /^[^(]*\((global)?ctx\b/i.test(String(functions.get(name) ?? '')));
}

function sliceOf(path: string): string {
  return /^(?:\.\.?\/)*(?:src\/)?(auth\/(?:keys|staff)|[\w-]+)/.exec(path)?.[1] ?? '';
}

const key = (scopes: readonly Scope[]): Actor => ({ kind: 'api_key', keyId: 'k', familyId: 'f', orgId: 'o', scopes });
const EVERYBODY: Actor[] = [
  { kind: 'anonymous' },
  { kind: 'system' },
  { kind: 'operator', name: 'test' },
  key(SCOPES),
  ...ROLES.map((role): Actor => ({ kind: 'staff', memberId: 'm', orgId: 'o', role })),
];

/** Everybody who lacks this right alone, as far as somebody can. */
function lacking(right: Right): Actor[] {
  if (right === 'system' || right === 'operator') return EVERYBODY.filter(({ kind }) => kind !== right);
  // The organization of the input is nobody's.
  if (right === 'operator or own owner') return EVERYBODY.filter(({ kind }) => kind !== 'operator');
  if (typeof right === 'object') {
    return EVERYBODY.filter((actor) => actor.kind !== 'staff' || !right.includes(actor.role));
  }
  const rest = EVERYBODY.filter(({ kind }) => kind !== 'api_key');
  const without = rest.filter((actor) => actor.kind !== 'staff' || !roleHolds(actor.role, right));
  return [...without, key(SCOPES.filter((scope) => scope !== right)), key([])];
}

/** Stands for whatever a use case takes: has every field, and can be called. */
const anything: object = new Proxy(() => anything, {
  get: (_, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => 'x' : anything),
});

/** A context in which a right can be asked for, and nothing else be done. */
function contextOf(actor: Actor): Context {
  // SAFETY: only the check of rights uses it; it ends the call before anything else does.
  const db = openDatabase([{} as D1Database], 0, {
    meter: { roundTrips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 },
  });
  return new Proxy({ actor, db } as Context, {
    get: (ctx, name) => {
      if (name in ctx) return Reflect.get(ctx, name);
      throw new Error(`ctx.${String(name)} is used before the right is asked for`);
    },
  });
}

const CASES = USE_CASES.flatMap(([right, names]) => names.map((name) => ({ name, right, shown: String(right) })));

test.each(CASES)('$name refuses whoever lacks $shown, before anything is read or written', async ({ name, right }) => {
  const useCase = functions.get(name);
  for (const actor of lacking(right)) {
    const ctx = contextOf(actor);
    const input = Array.from({ length: Math.max(0, (useCase?.length ?? 0) - 1) }, () => anything);
    const ended = await (async () => useCase?.(ctx, ...input))().catch((error: unknown) => error);
    expect(ended, JSON.stringify(actor)).toMatchObject({ kind: 'forbidden', code: 'insufficient_scope' });
    expect(ctx.db.meter.roundTrips).toBe(0);
  }
});

test('every function that a page, a call, a message or the clock begins with asks for a right, or is listed with the reason why not', () => {
  const asking = new Set(CASES.map(({ name }) => name));
  const free = FREE.flatMap(([, names]) => names);
  const found = calledFromOutside();
  expect(found).toContain('orders/changeOrder');
  expect(free.filter((name) => asking.has(name) || !found.includes(name))).toEqual([]);
  expect(found.filter((name) => !asking.has(name) && !free.includes(name))).toEqual([]);
});
