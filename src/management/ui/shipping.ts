import { type Markup, markup } from '../../platform/markup/markup';
import { Icon, type IconName } from './icons';
import { sharedMessages } from './messages';
import type { View } from './view';

const ICONS: Partial<Record<string, IconName>> = { Abholung: 'bag', Versand: 'truck', Express: 'truck' };

/** The shipping option in the reader's language; that of a delivery service with a name of its own is its name. */
export function shippingWord(view: Pick<View, 'language'>, option: string | null): string {
  const words: Partial<Record<string, string>> = sharedMessages(view).orders.shippingOptions;
  // Without one the customer picks the order up.
  return words[option ?? 'Abholung'] ?? option ?? '';
}

/** The same with its picture. */
export function Shipping({ view, option }: { view: Pick<View, 'language'>; option: string | null }): Markup {
  const icon = ICONS[option ?? 'Abholung'] ?? 'bike';
  return markup`<span class="with">${Icon({ name: icon })}<bdi>${shippingWord(view, option)}</bdi></span>`;
}
