import type { Movement } from '../../inventory/service';
import { orderPath } from '../http/paths';
import { shortIdOf } from '../ui/format';
import { Time } from '../ui/layout';
import { Heads } from '../ui/table';
import type { View } from '../ui/view';

interface MovementsProps {
  view: View;
  movements: Movement[];
  /** People and keys by id. */
  names: Map<string, string>;
}

/** The end of the ledger: what moved, why, and who did it. */
export function Movements({ view, movements, names }: MovementsProps) {
  const words = view.words.products;
  return (
    <section class="panel">
      <h2>{words.movementsTitle}</h2>
      {movements.length === 0 ? (
        <p class="quiet">{words.movementsEmpty}</p>
      ) : (
        <table class="cards lines">
          <Heads
            columns={[
              words.time,
              words.reason,
              { label: words.delta, class: 'number' },
              { label: words.after, class: 'number' },
              words.who,
            ]}
          />
          <tbody>
            {movements.map((movement) => (
              <tr>
                <td data-label={words.time}>
                  <Time view={view} at={movement.createdAt} />
                </td>
                <td data-label={words.reason}>{words.reasons[movement.reason]}</td>
                <td class="number" data-label={words.delta}>
                  {new Intl.NumberFormat(view.words.locale, { signDisplay: 'always' }).format(movement.delta)}
                </td>
                <td class="number" data-label={words.after}>
                  {movement.after}
                </td>
                <td data-label={words.who}>
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
  const words = view.words.products;
  const { orderId, actorKind, actorId } = movement;
  if (orderId !== null) {
    return (
      <a href={orderPath(orderId)}>
        {words.order} {shortIdOf(orderId)}
      </a>
    );
  }
  const name = actorId === null ? undefined : names.get(actorId);
  const kind = Object.entries(words.actors).find(([each]) => each === actorKind)?.[1];
  if (name === undefined) return <>{kind ?? words.none}</>;
  return (
    <>
      <bdi>{name}</bdi>
      {actorKind !== 'staff' && <small>{kind}</small>}
    </>
  );
}
