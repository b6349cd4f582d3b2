import { isNameMismatch } from '../../order-requests/service';
import { type Markup, markup } from '../../platform/markup/markup';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import type { View } from './view';

interface LineNameProps {
  view: Pick<View, 'language'>;
  /** The name as it was ordered. */
  name: string;
  /** The matched product, if any. */
  productName: string | null | undefined;
}

/**
 * The product that a line hands out. A different ordered name is shown below it, and marked if it may be another
 * medicine.
 */
export function LineName({ view, name, productName }: LineNameProps) {
  const { requests: t } = sharedMessages(view);
  // The ordered name is deleted when its customer is erased.
  if (!productName || !name || productName === name) return <bdi>{productName || name || '–'}</bdi>;
  return (
    <>
      <bdi>{productName}</bdi>
      <small>
        {t.askedAs}: <bdi>{name}</bdi>
      </small>
      {isNameMismatch(name, productName) && <Chip tone="bad">{t.nameDiffers}</Chip>}
    </>
  );
}

/** Names of items in one line: the first two, then how many more. */
export function ItemNames({ view, names }: { view: Pick<View, 'language'>; names: readonly string[] }): Markup {
  const rest = names.length - 2;
  const more = rest > 0 && ` ${sharedMessages(view).requests.more(rest)}`;
  return markup`<span class="clip" dir="auto" title="${names.join('\n')}">${names.slice(0, 2).join('; ')}${more}</span>`;
}
