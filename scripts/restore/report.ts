/** The losses as `GET /restores/{id}/losses` returns them. */
export interface Losses {
  org_id: string;
  organization_name: string | null;
  has_owner: boolean;
  order_requests_lost: { id: string; shop_id: string; status: string; created_at: string }[];
  orders_lost: { id: string; number: string; status: string }[];
  /** `fields` are the names of the columns that differ. */
  order_requests_set_back: SetBack[];
  orders_set_back: (SetBack & { number: string })[];
  /** Null if the row is gone. */
  others_set_back: { table: string; id: string; fields: string[] | null }[];
}

type Listed = Exclude<keyof Losses, 'org_id' | 'organization_name' | 'has_owner'>;

interface SetBack {
  id: string;
  was: string;
  is: string;
  fields: string[];
}

/** A lost file as `GET /restores/{id}/files` returns it. */
export interface LostFile {
  org_id: string;
  shop_id: string | null;
  order_request_id: string | null;
  order_id: string | null;
  file: string;
  stored_at: string;
}

/** Returns what to tell each pharmacy: ids, numbers and times, but no names of people. */
export function tellLosses(losses: readonly Losses[], files: readonly LostFile[]): string[] {
  const orgIds = new Set([...losses, ...files].map(({ org_id }) => org_id));
  return [...orgIds].sort().flatMap((orgId) => {
    const pages = losses.filter(({ org_id }) => org_id === orgId);
    const own = files.filter(({ org_id }) => org_id === orgId);
    const all = <Name extends Listed>(name: Name) => pages.flatMap<Losses[Name][number]>((page) => page[name]);
    const lines = [
      ...all('order_requests_lost').map(
        (of) => `lost: order request ${of.id} of ${of.created_at} to shop ${of.shop_id}`,
      ),
      ...all('orders_lost').map(({ id, number }) => `lost: order ${number} (${id})`),
      ...own.map(({ file, stored_at, shop_id, order_request_id, order_id }) => {
        const of = order_request_id ? `order request ${order_request_id}` : `order ${order_id}`;
        return `PDF without its row: ${file} of ${stored_at}, ${of}, shop ${shop_id ?? 'unknown'}`;
      }),
      ...all('order_requests_set_back').map((of) => `set back: order request ${of.id}: ${differencesOf(of)}`),
      ...all('orders_set_back').map((of) => `set back: order ${of.number}: ${differencesOf(of)}`),
      ...all('others_set_back').map(({ table, id, fields }) =>
        fields === null ? `lost: ${table} ${id}` : `set back: ${table} ${id}: ${fields.join(', ')}`,
      ),
      ...(pages.some(({ has_owner }) => !has_owner) ? ['nobody may invite: invite an owner by the operator API'] : []),
    ];
    if (lines.length === 0) return [];
    const name = pages.find(({ organization_name }) => organization_name !== null)?.organization_name;
    return [
      `             ${name ?? 'an organization that is gone'} (${orgId}):`,
      ...lines.map((line) => `               ${line}`),
    ];
  });
}

/**
 * Returns the differences of a row, such as `status was shipped, is ready_shipping, note`: both statuses if they
 * differ, and the names of all other fields that differ.
 */
function differencesOf({ was, is, fields }: SetBack): string {
  return fields.map((field) => (field === 'status' ? `status was ${was}, is ${is}` : field)).join(', ');
}
