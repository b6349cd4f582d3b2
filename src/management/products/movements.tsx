import type { Movement } from '../../inventory/service';
import { LOCALES } from '../http/language';
import { orderPath } from '../http/paths';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { messages } from './messages';

interface MovementsProps {
  view: View;
  movements: Movement[];
  /** Names of members and keys by id. */
  names: Map<string, string>;
}

/** The latest stock movements with reason and actor. */
export function Movements({ view, movements, names }: MovementsProps) {
  const t = messages(view);
  return (
    <section class="panel">
      <h2>{t.movementsTitle}</h2>
      {movements.length === 0 ? (
        <p class="quiet">{t.movementsEmpty}</p>
      ) : (
        <table class="cards lines">
          <TableHead
            columns={[
              t.time,
              t.reason,
              { label: t.delta, class: 'number' },
              { label: t.after, class: 'number' },
              t.who,
            ]}
          />
          <tbody>
            {movements.map((movement) => (
              <tr>
                <td data-label={t.time}>
                  <Time view={view} at={movement.createdAt} />
                </td>
                <td data-label={t.reason}>{t.reasons[movement.reason]}</td>
                <td class="number" data-label={t.delta}>
                  {new Intl.NumberFormat(LOCALES[view.language], { signDisplay: 'always' }).format(movement.delta)}
                </td>
                <td class="number" data-label={t.after}>
                  {movement.after}
                </td>
                <td data-label={t.who}>
                  <Who view={view} movement={movement} names={names} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Who({ view, movement, names }: Omit<MovementsProps, 'movements'> & { movement: Movement }) {
  const t = messages(view);
  const { orderId, actorKind, actorId } = movement;
  if (orderId !== null) {
    return (
      <a href={orderPath(orderId)}>
        {t.order} {shortIdOf(orderId)}
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
