import { Icon } from '../ui/icons';
import type { View } from '../ui/view';
import { packingMessages } from './packing-messages';

/** The field of a page for scans of packs, wherever the focus is (client/scan.js); in a form of class `scan`. */
export function ScanField({ view }: { view: View }) {
  const label = packingMessages(view).scan;
  return (
    <>
      <label class="unseen" for="code">
        {label}
      </label>
      <Icon name="scan" />
      <input
        id="code"
        name="code"
        placeholder={label}
        autocomplete="off"
        spellcheck={false}
        autocapitalize="off"
        maxlength={200}
        data-scan
        data-key="s"
        aria-keyshortcuts={view.hasShortcuts ? 's' : undefined}
      />
    </>
  );
}
