import type { Role } from '../../platform/access';
import {
  ACCOUNT,
  AUDIT,
  CATALOG,
  DESK,
  EXPECTED,
  INVENTORY_IMPORT,
  KEYS,
  MEMBERS,
  ORDERS,
  ORGANIZATION,
  PRODUCTS,
  REPORTS,
  REQUESTS,
  SHOPS,
  WEBHOOKS,
} from '../http/paths';
import type { SharedMessages } from './messages';
import type { IconName } from './parts';

export interface Entry {
  name: keyof SharedMessages['nav'];
  path: string;
  /** Other pages of the area, whose paths are neither its own nor below it. */
  others?: readonly string[];
  roles: readonly Role[];
}

/** Pages under Settings, which opens with the first one that the role may see. */
const SETTINGS: readonly Entry[] = [
  { name: 'organization', path: ORGANIZATION, roles: ['owner'] },
  { name: 'shops', path: SHOPS, roles: ['owner'] },
  { name: 'members', path: MEMBERS, roles: ['owner'] },
  { name: 'keys', path: KEYS, roles: ['owner'] },
  { name: 'webhooks', path: WEBHOOKS, roles: ['owner'] },
  { name: 'audit', path: AUDIT, roles: ['owner'] },
  { name: 'account', path: ACCOUNT, roles: ['owner', 'pharmacist', 'staff'] },
];

export interface Area extends Entry {
  name: 'orderRequests' | 'orders' | 'products' | 'reports' | 'settings';
}

export const AREA_ICONS = {
  orderRequests: 'tray',
  orders: 'box',
  products: 'pill',
  reports: 'chart',
  settings: 'sliders',
} as const satisfies Record<Area['name'], IconName>;

/** Areas of the main navigation, in order. */
const AREAS: readonly Area[] = [
  { name: 'orderRequests', path: REQUESTS, roles: ['owner', 'pharmacist', 'staff'] },
  { name: 'orders', path: ORDERS, others: [DESK, EXPECTED], roles: ['owner', 'pharmacist', 'staff'] },
  {
    name: 'products',
    path: PRODUCTS,
    others: [CATALOG, INVENTORY_IMPORT],
    roles: ['owner', 'pharmacist', 'staff'],
  },
  { name: 'reports', path: REPORTS, roles: ['owner', 'pharmacist'] },
];

interface Navigation {
  areas: Area[];
  settings: Entry[];
}

export function navigationOf(role: Role): Navigation {
  const isTheirs = ({ roles }: Entry) => roles.includes(role);
  return { areas: AREAS.filter(isTheirs), settings: SETTINGS.filter(isTheirs) };
}

/** The page after a sign-in. */
export function firstPage(role: Role): string {
  const { areas, settings } = navigationOf(role);
  return [...areas, ...settings][0]?.path ?? ACCOUNT;
}
