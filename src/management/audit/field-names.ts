import type { apiKeysFields, membersFields, staffAccountsFields } from '../../auth/fields';
import type { inventoryFields } from '../../inventory/fields';
import type { ChangedName } from '../../platform/fields';
import type { organizationsFields, shopsFields } from '../../tenants/fields';
import type { subscriptionsFields } from '../../webhooks/fields';

/** The names of changed fields in the audit log, but for those of an order and of a product, whose words areas share. */
export type OwnFieldName =
  | ChangedName<typeof apiKeysFields>
  | ChangedName<typeof inventoryFields>
  | ChangedName<typeof membersFields>
  | ChangedName<typeof organizationsFields>
  | ChangedName<typeof shopsFields>
  | ChangedName<typeof staffAccountsFields>
  | ChangedName<typeof subscriptionsFields>
  // What an approval notes: why it was made in spite of a finding, and that it covers the lines anew.
  | 'override_reason'
  | 'lines';
