import { isNameMismatch } from '../../order-requests/service';
import { Chip } from './layout';
import type { View } from './view';

interface LineNameProps {
  view: Pick<View, 'words'>;
  /** As it was asked for. */
  name: string;
  /** What it was matched to, if anything. */
  productName: string | null | undefined;
}

/** The product that a line hands out; beneath it what was asked for, where that was another name, and marked where it may be another medicine. */
export function LineName({ view, name, productName }: LineNameProps) {
  const words = view.words.requests;
  // Nothing is left of a name that somebody wrote once its person is erased.
  if (!productName || !name || productName === name) return <bdi>{productName || name || '–'}</bdi>;
  return (
    <>
      <bdi>{productName}</bdi>
      <small>
        {words.askedAs}: <bdi>{name}</bdi>
      </small>
      {isNameMismatch(name, productName) && <Chip tone="bad">{words.nameDiffers}</Chip>}
    </>
  );
}

/** The names of some items in one line, the first two whole. */
export function ItemNames({ view, names }: { view: Pick<View, 'words'>; names: readonly string[] }) {
  const [shown, rest] = [names.slice(0, 2), names.length - 2];
  return (
    <span class="clip" dir="auto" title={names.join('\n')}>
      {shown.join('; ')}
      {rest > 0 && ` ${view.words.requests.more(rest)}`}
    </span>
  );
}
