import type { Movement } from '../../inventory/service';
import { LOCALES } from '../http/language';
import { orderPath, productPath } from '../http/paths';
import { actorText } from '../ui/actor';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { labelFor, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { exportMessages } from './export-messages';
import { messages } from './messages';

interface MovementsProps {
  view: View;
  movements: Movement[];
  /** Names of members and keys and numbers of orders by id. */
  names: Map<string, string>;
  p1Id: string;
}

/** The latest stock movements with reason and actor; as a file, more of them. */
export function Movements({ view, movements, names, p1Id }: MovementsProps) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const signed = new Intl.NumberFormat(LOCALES[view.language], { signDisplay: 'always' });
  return (
    <Panel
      title={t.movementsTitle}
      beside={
        movements.length > 0 && (
          <a href={`${productPath(p1Id)}/movements.csv`}>
            {labelFor(exportMessages(view).exportStock, t.movementsTitle)}
          </a>
        )
      }
    >
      {movements.length === 0 ? (
        <p class="quiet">{t.movementsEmpty}</p>
      ) : (
        <Table
          class="movements"
          rows={movements}
          columns={[
            { label: common.time, class: 'day', cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
            {
              label: common.reason,
              cell: ({ reason, reference, orderId }) => (
                <>
                  {t.reasons[reason]}
                  {orderId && (
                    <>
                      {' '}
                      <a href={orderPath(orderId)}>{names.get(orderId) ?? shortIdOf(orderId)}</a>
                    </>
                  )}
                  {reference && (
                    <small>
                      <bdi>{reference}</bdi>
                    </small>
                  )}
                </>
              ),
            },
            { label: t.change, kind: 'number', cell: (movement) => signed.format(changeOf(movement)) },
            { label: t.after, kind: 'number', cell: ({ after }) => after },
            { label: t.onHand, kind: 'number', cell: ({ onHandAfter }) => onHandAfter ?? t.none },
            { label: common.who, cell: (movement) => <bdi>{actorText(view, movement, names)}</bdi> },
          ]}
        />
      )}
    </Panel>
  );
}

/** Of what can be promised; where that stays, of what lies in the house. */
export function changeOf({ delta, onHandDelta }: Movement): number {
  return delta === 0 ? onHandDelta : delta;
}
