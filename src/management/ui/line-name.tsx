import { isNameMismatch } from '../../order-requests/service';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import type { View } from './view';

interface LineNameProps {
  view: Pick<View, 'language'>;
  /** As it was asked for. */
  name: string;
  /** What it was matched to, if anything. */
  productName: string | null | undefined;
}

/** The product that a line hands out; beneath it what was asked for, where that was another name, and marked where it may be another medicine. */
export function LineName({ view, name, productName }: LineNameProps) {
  const shared = sharedMessages(view);
  // Nothing is left of a name that somebody wrote once its person is erased.
  if (!productName || !name || productName === name) return <bdi>{productName || name || '–'}</bdi>;
  return (
    <>
      <bdi>{productName}</bdi>
      <small>
        {shared.requests.askedAs}: <bdi>{name}</bdi>
      </small>
      {isNameMismatch(name, productName) && <Chip tone="bad">{shared.requests.nameDiffers}</Chip>}
    </>
  );
}

/** The names of some items in one line, the first two whole. */
export function ItemNames({ view, names }: { view: Pick<View, 'language'>; names: readonly string[] }) {
  const [shown, rest] = [names.slice(0, 2), names.length - 2];
  return (
    <span class="clip" dir="auto" title={names.join('\n')}>
      {shown.join('; ')}
      {rest > 0 && ` ${sharedMessages(view).requests.more(rest)}`}
    </span>
  );
}
