import type { ApiKey } from '../../auth/keys/service';
import { WEBHOOKS } from '../http/paths';
import { sharedMessages } from '../ui/messages';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';
import { StatusChip } from './parts';

/** The callback of an integration, with the name of its key. */
export interface ListedCallback {
  keyName: string;
  callback: NonNullable<ApiKey['callback']>;
}

/** The callbacks of these keys; those of one integration have the same, and the newest comes first. */
export function callbacksOf(keys: readonly ApiKey[]): ListedCallback[] {
  const named = keys.flatMap(({ name, callback }) => (callback ? [{ keyName: name, callback }] : []));
  return named.filter(({ callback }, index) => named.findIndex((each) => each.callback.id === callback.id) === index);
}

export function CallbackTable({ view, callbacks }: { view: View; callbacks: readonly ListedCallback[] }) {
  const { callbacks: t, subscriptions } = messages(view);
  const { common } = sharedMessages(view);
  return (
    <>
      <h2>{t.title}</h2>
      <p class="quiet">{t.lead}</p>
      <Table
        class="rows brief webhooks-list"
        rows={callbacks}
        columns={[
          {
            label: t.integration,
            kind: 'name',
            class: 'name',
            cell: ({ keyName, callback }) => (
              <a class="go" href={`${WEBHOOKS}/${callback.id}`}>
                <bdi>{keyName}</bdi>
              </a>
            ),
          },
          {
            label: subscriptions.url,
            class: 'what',
            title: ({ callback }) => callback.url,
            cell: ({ callback }) => callback.url,
          },
          {
            label: common.status,
            class: 'settle',
            cell: ({ callback }) => <StatusChip view={view} status={callback.status} />,
          },
        ]}
      />
    </>
  );
}
