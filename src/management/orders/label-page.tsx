import { labelOf } from '../../orders/service';
import { formatDate } from '../ui/format';
import { customerOf } from '../ui/order-summary';
import { packingMessages } from './packing-messages';
import { Barcode, backTo, Paper, type PaperProps, Shelf, wayOf } from './paper';

export function LabelPage(props: PaperProps) {
  const { view, detail } = props;
  const { order } = detail;
  const t = packingMessages(view);
  return (
    <Paper
      view={view}
      title={t.labelsOf(order.number)}
      print={t.printLabels(order.bags ?? 1)}
      back={backTo(view, order)}
    >
      <Labels {...props} />
    </Paper>
  );
}

/** One label of 100 × 62 mm for each bag. No price, no medicine, no date of birth: it hangs where others see it. */
export function Labels({ view, detail }: PaperProps) {
  const { order } = detail;
  const t = packingMessages(view);
  const bags = order.bags ?? 1;
  const name = customerOf(view, order);
  return (
    <>
      {Array.from({ length: bags }, (_, index) => (
        <section class="bag-label" aria-label={t.bag(index + 1, bags)}>
          <div class="ends">
            <Shelf view={view} order={order} />
            <p>
              <b class="paper-number">{order.number}</b>
              <span class="way">{wayOf(view, detail)}</span>
            </p>
          </div>
          <p class={`to ${sizeOf(name)}`}>
            <bdi>{name}</bdi>
          </p>
          <div class="ends">
            <Barcode text={labelOf(order)} />
            <p>
              <b class="bag">{t.bag(index + 1, bags)}</b>
              <br />
              {formatDate(view.language, view.now)}
            </p>
          </div>
        </section>
      ))}
    </>
  );
}

/** Above so many letters a name is set smaller, so that the label holds all of it. */
const [LONG, LONGEST] = [36, 80];

/** Signs of scripts that are written in squares count twice. */
function sizeOf(name: string): 'long' | 'longest' | '' {
  const width = [...name].reduce((sum, sign) => sum + (sign >= '\u2e80' ? 2 : 1), 0);
  if (width > LONGEST) return 'longest';
  return width > LONG ? 'long' : '';
}
