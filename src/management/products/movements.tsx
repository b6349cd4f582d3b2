import type { Movement } from '../../inventory/service';
import { LOCALES } from '../http/language';
import { orderPath } from '../http/paths';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { Table } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

interface MovementsProps {
  view: View;
  movements: Movement[];
  /** Names of members and keys and numbers of orders by id. */
  names: Map<string, string>;
}

/** The latest stock movements with reason and actor. */
export function Movements({ view, movements, names }: MovementsProps) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const signed = new Intl.NumberFormat(LOCALES[view.language], { signDisplay: 'always' });
  return (
    <Panel title={t.movementsTitle}>
      {movements.length === 0 ? (
        <p class="quiet">{t.movementsEmpty}</p>
      ) : (
        <Table
          class="lines"
          rows={movements}
          columns={[
            { label: common.time, cell: ({ createdAt }) => <Time view={view} at={createdAt} /> },
            {
              label: common.reason,
              cell: ({ reason, reference }) => (
                <>
                  {t.reasons[reason]}
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
            { label: common.who, cell: (movement) => <Who view={view} movement={movement} names={names} /> },
          ]}
        />
      )}
    </Panel>
  );
}

/** Of what can be promised; where that stays, of what lies in the house. */
function changeOf({ delta, onHandDelta }: Movement): number {
  return delta === 0 ? onHandDelta : delta;
}

function Who({ view, movement, names }: Omit<MovementsProps, 'movements'> & { movement: Movement }) {
  const t = messages(view);
  const { orderId, actorKind, actorId } = movement;
  if (orderId !== null) {
    return (
      <a href={orderPath(orderId)}>
        {sharedMessages(view).orders.id} {names.get(orderId) ?? shortIdOf(orderId)}
      </a>
    );
  }
  const name = actorId === null ? undefined : names.get(actorId);
  const kind = Object.entries(t.actors).find(([each]) => each === actorKind)?.[1];
  if (name === undefined) return <>{kind ?? t.none}</>;
  return (
    <>
      <bdi>{name}</bdi>
      {actorKind !== 'staff' && <small>{kind}</small>}
    </>
  );
}
