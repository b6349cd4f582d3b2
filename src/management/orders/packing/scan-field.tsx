import type { OpenLine } from '../../../orders/rules';
import { amountText, kept } from '../../ui/format';
import { differingSpans, MarkedName } from '../../ui/panels';
import { Icon, Notice } from '../../ui/parts';
import { useView } from '../../ui/view';
import { packingMessages } from './messages';

/** The field for scans. client/scan.js fills it, no matter where the focus is. Needs a form of class `scan`. */
export function ScanField() {
  const label = packingMessages().scan;
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
        aria-keyshortcuts={useView().hasShortcuts ? 's' : undefined}
      />
    </>
  );
}

/** A scan that packed nothing. */
export interface ScanRefusal {
  /** The error in a word or two. */
  title: string;
  /** The product that was scanned, if it is known. */
  scanned?: string;
  text: string;
  /** The lines with packs that are still missing. If given, the banner lists them. */
  open?: readonly OpenLine[];
}

/** A banner for a refused scan. It takes the focus, screen readers announce it at once, and a script plays a sound. */
export function RefusedScan({ refused: { title, scanned, text, open = [] } }: { refused: ScanRefusal }) {
  return (
    <Notice tone="bad" role="alert" class="loud" isFocused isAlarm>
      <p>
        <b>{title}:</b> {scanned && <MarkedName name={scanned} spans={spansIn(scanned, open)} />} {text}
      </p>
      {open.length > 0 && (
        <p class="still">
          <b>{packingMessages().stillOpen}:</b>{' '}
          {open.map(({ missing, name, unit }, index) => (
            <>
              {index > 0 && '\u00a0· '}
              {amountText({ quantity: missing, unit })} <bdi>{kept(name)}</bdi>
            </>
          ))}
        </p>
      )}
    </Notice>
  );
}

/**
 * The parts of a scanned product's name that differ from the name of the most similar open line. Empty if no open line
 * shares a word with the name.
 */
function spansIn(name: string, open: readonly OpenLine[]) {
  const words = wordsOf(name);
  const shared = (line: OpenLine) => [...wordsOf(line.name)].filter((word) => words.has(word)).length;
  const [nearest] = open.toSorted((one, other) => shared(other) - shared(one));
  return nearest && shared(nearest) > 0 ? differingSpans(nearest.name, name).supplied : [];
}

const wordsOf = (name: string) => new Set(name.toLowerCase().split(' '));
