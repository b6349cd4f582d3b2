import { type Markup, markup } from '../../platform/markup/markup';
import { sharedMessages } from './messages';
import type { View } from './view';

/** Names of items in one line: the first two, then how many more. */
export function ItemNames({ view, names }: { view: Pick<View, 'language'>; names: readonly string[] }): Markup {
  const rest = names.length - 2;
  const more = rest > 0 && ` ${sharedMessages(view).requests.more(rest)}`;
  return markup`<span class="clip" dir="auto" title="${names.join('\n')}">${names.slice(0, 2).join('; ')}${more}</span>`;
}
