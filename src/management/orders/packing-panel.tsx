import { isBeingPacked, lineKey, type OpenLine, type OrderDetail, packedOf, progressOf } from '../../orders/service';
import { orderPath } from '../http/paths';
import { Field, Form, type FormState, Labeled } from '../ui/fields';
import { sharedMessages } from '../ui/messages';
import { Panel } from '../ui/parts';
import { TableHead } from '../ui/table';
import type { View } from '../ui/view';
import { packingMessages } from './packing-messages';

interface Props {
  view: View;
  detail: OrderDetail;
  state: FormState;
}

/** Statuses in which there is something to see of the packing. */
const SHOWN_IN = new Set(['awaiting_packing', 'ready_pickup', 'ready_shipping']);

/** How far the order is packed, the field that takes scans, and each line with its ticks. */
export function PackingPanel({ view, detail, state }: Props) {
  const { order } = detail;
  const t = packingMessages(view);
  if (!SHOWN_IN.has(order.status)) return null;
  const { packed, packs, open, byHand } = progressOf(order);
  return (
    <Panel title={t.title}>
      <p id="packs" tabindex={-1}>
        <strong>{t.progress(packed, packs)}</strong>
        {open.length === 0 && ` · ${t.allPacked(byHand)}`}
      </p>
      {isBeingPacked(order) && <ScanForm view={view} orderId={order.id} packed={packed} state={state} />}
      <PackedLines view={view} detail={detail} />
    </Panel>
  );
}

function ScanForm({ view, orderId, packed, state }: { view: View; orderId: string; packed: number; state: FormState }) {
  const t = packingMessages(view);
  return (
    <Form view={view} action={`${orderPath(orderId)}/scan`} class="inline">
      <input type="hidden" name="seen" value={packed} />
      <Labeled
        name="code"
        label={t.scan}
        error={state.fieldErrors?.code}
        control={(attributes) => (
          <input
            {...attributes}
            autocomplete="off"
            spellcheck={false}
            autocapitalize="off"
            maxlength={200}
            data-scan
            data-key="s"
            aria-keyshortcuts={view.hasShortcuts ? 's' : undefined}
          />
        )}
      />
      <button type="submit">{t.scanNow}</button>
    </Form>
  );
}

function PackedLines({ view, detail: { order, products } }: Omit<Props, 'state'>) {
  const t = packingMessages(view);
  const isOpen = isBeingPacked(order);
  const action = `${orderPath(order.id)}/packs`;
  return (
    <table class="lines">
      <TableHead columns={[{ label: t.packed, class: 'number' }, t.item, ...(isOpen ? [t.steps] : [])]} />
      <tbody>
        {order.items.map((item, place) => {
          const { scanned, byHand } = packedOf(order, place);
          const pzn = products.get(item.p1Id ?? '')?.pzn;
          const name = item.productName ?? item.name;
          const facts = [pzn && `PZN ${pzn}`, byHand > 0 && t.tickedByHand].filter(Boolean).join(' · ');
          const key = lineKey(item, place);
          return (
            <tr>
              <td class="number">
                {scanned + byHand}/{item.quantity}
              </td>
              <td>
                <bdi>{name}</bdi>
                {facts && <small>{facts}</small>}
              </td>
              {isOpen && (
                <td>
                  <Form view={view} action={action}>
                    {scanned + byHand < item.quantity && (
                      <button type="submit" name="hand" value={key} aria-label={`${t.byHand}: ${name}`}>
                        {t.byHand}
                      </button>
                    )}
                    {scanned + byHand > 0 && (
                      <button class="plain" type="submit" name="undo" value={key} aria-label={`${t.takeBack}: ${name}`}>
                        {t.takeBack}
                      </button>
                    )}
                  </Form>
                  <a href={`${orderPath(order.id)}/other-product?line=${place}`}>{t.otherProduct}</a>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Where it waits, in how many bags. */
export function ShelfPanel({ view, detail: { order }, state }: Props) {
  const t = packingMessages(view);
  if (!SHOWN_IN.has(order.status)) return null;
  const typed: FormState<'shelf' | 'bags'> = state;
  return (
    <Panel title={t.shelfAndBags}>
      <Form view={view} action={`${orderPath(order.id)}/shelf`} isGuarded>
        <Field name="shelf" label={t.shelf} value={typed.shelf ?? order.shelf ?? ''} fieldErrors={state.fieldErrors} />
        <Field
          name="bags"
          label={t.bags}
          value={typed.bags ?? String(order.bags ?? 1)}
          fieldErrors={state.fieldErrors}
          inputmode="numeric"
        />
        <button type="submit">{sharedMessages(view).common.save}</button>
      </Form>
    </Panel>
  );
}

/** `1 × Ibuprofen … · 2 × …`. */
export function openText(view: Pick<View, 'language'>, open: readonly OpenLine[]): string {
  const names = open.map(({ missing, name }) => `${missing} × ${name}`);
  return names.join(' · ') || packingMessages(view).nothingOpen;
}
