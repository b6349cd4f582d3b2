import type { Role } from '../../platform/access';
import type { Words } from '../words/de';

export interface Entry {
  name: keyof Words['nav'];
  path: string;
  roles: readonly Role[];
}

/** Pages under Settings; the first one that a role may see is where Settings opens. */
const SETTINGS: readonly Entry[] = [
  { name: 'organization', path: '/manage/settings/organization', roles: ['owner'] },
  { name: 'shops', path: '/manage/settings/shops', roles: ['owner'] },
  { name: 'members', path: '/manage/settings/members', roles: ['owner'] },
  { name: 'keys', path: '/manage/settings/keys', roles: ['owner'] },
  { name: 'webhooks', path: '/manage/settings/webhooks', roles: ['owner'] },
  { name: 'audit', path: '/manage/settings/audit', roles: ['owner'] },
  { name: 'account', path: '/manage/account', roles: ['owner', 'pharmacist', 'staff'] },
];

/** Areas of the rail, in order. An area stands here as soon as its pages exist: Order requests, Orders, Products, Reports. */
const AREAS: readonly Entry[] = [
  { name: 'orderRequests', path: '/manage/requests', roles: ['owner', 'pharmacist', 'staff'] },
  { name: 'orders', path: '/manage/orders', roles: ['owner', 'pharmacist', 'staff'] },
  { name: 'products', path: '/manage/products', roles: ['owner', 'pharmacist', 'staff'] },
  { name: 'reports', path: '/manage/reports', roles: ['owner', 'pharmacist'] },
];

export interface Navigation {
  areas: Entry[];
  settings: Entry[];
}

export function navigationOf(role: Role): Navigation {
  const isTheirs = ({ roles }: Entry) => roles.includes(role);
  return { areas: AREAS.filter(isTheirs), settings: SETTINGS.filter(isTheirs) };
}

/** Where a person starts. */
export function firstPage(role: Role): string {
  const { areas, settings } = navigationOf(role);
  return [...areas, ...settings][0]?.path ?? '/manage/account';
}
