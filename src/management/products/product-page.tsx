import type { Movement, ProductDetail } from '../../inventory/browse';
import { orderPath, PRODUCTS, productPath, requestPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import { formatChange, formatTime, quantityText, shortIdOf } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { actorText, contentsOf } from '../ui/order-summary';
import { ButtonLink, labelFor, Notice, Panel } from '../ui/parts';
import { Table } from '../ui/table';
import { type FieldErrors, useView } from '../ui/view';
import { Matrix } from './matrix';
import { messages } from './messages';
import {
  type ListFilter,
  RxMark,
  rowId,
  StockChip,
  StockPanelForm,
  type TypedStock,
  withFilter,
} from './product-table';

/** The typed values and errors of the refused forms on the product's page. */
export interface ProductState {
  stock?: TypedStock;
  threshold?: { value: string; fieldErrors: FieldErrors };
  /** Why a shop cannot offer the product. */
  refused?: string;
}

interface ProductProps {
  product: ProductDetail;
  names: Map<string, string>;
  filter: ListFilter;
  mayEdit: boolean;
  state: ProductState;
}

export function ProductPage({ product, names, filter, mayEdit, state }: ProductProps) {
  const t = messages();
  const { category } = product.own.values;
  return (
    <Page
      title={product.name}
      back={{ path: `${withFilter(PRODUCTS, filter)}#${rowId(product.catalog.slug ?? '')}`, label: t.back }}
      lead={
        <>
          {product.pzn && `PZN\u00a0${product.pzn} · `}
          <bdi>{product.p1Id}</bdi>
          {category && (
            <>
              {' · '}
              <bdi>{category}</bdi>
            </>
          )}
          {contentsOf(product.own.values).map((content) => ` · ${content}`)}{' '}
          {product.own.values.prescriptionRequired && <RxMark />}
        </>
      }
      acts={
        mayEdit && (
          <ButtonLink
            path={withFilter(`${productPath(product.p1Id)}/edit`, filter)}
            icon="pencil"
            label={t.editOrganization}
          />
        )
      }
    >
      {state.refused && (
        <Notice tone="bad" role="alert" isFocused>
          {state.refused}
        </Notice>
      )}
      {mayEdit && product.twin && (
        <Notice tone="note">
          <p>{t.twinLead(product.twin.name)}</p>
          <ButtonLink path={withFilter(`${productPath(product.p1Id)}/join`, filter)} label={t.join} />
        </Notice>
      )}
      <div class="two-columns decide-first">
        <div>
          <Matrix {...{ product, filter, mayEdit }} />
          <Movements movements={product.movements} names={names} p1Id={product.p1Id} />
        </div>
        <aside>
          <StockPanel {...{ product, filter, state }} />
          {mayEdit && (
            <p class="facts">
              <a href={withFilter(`${productPath(product.p1Id)}/unit`, filter)}>{t.changeUnit}</a>
              <a href={withFilter(`${productPath(product.p1Id)}/remove`, filter)}>{t.remove}</a>
            </p>
          )}
        </aside>
      </div>
    </Page>
  );
}

function StockPanel({ product, filter, state }: Omit<ProductProps, 'names' | 'mayEdit'>) {
  const shared = sharedMessages();
  const t = messages();
  const { stockQuantity, onHand, committedQuantity, reservedQuantity, shortage } = product;
  const { lowStockThreshold, defaultThreshold } = product;
  const { threshold } = state;
  const at = (sub: string) => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  const limit = lowStockThreshold ?? defaultThreshold;
  return (
    <Panel
      title={shared.common.stock}
      beside={<StockChip shortage={shortage} stock={stockQuantity} threshold={limit} />}
    >
      <p>
        <strong class="count-of">{quantityText(stockQuantity, product.own.values.unit)}</strong>{' '}
        <span class="quiet">
          {shared.common.threshold}: {limit}
        </span>
      </p>
      {committedQuantity + reservedQuantity > 0 && (
        <p class="quiet">{t.promisedOf(onHand, committedQuantity, reservedQuantity)}</p>
      )}
      <Reservations product={product} />
      {shortage > 0 && <p>{t.shortageLead}</p>}
      <StockPanelForm action={at('/stock')} typed={state.stock} />
      <Form action={at('/threshold')}>
        <Field
          name="threshold"
          label={shared.common.threshold}
          hint={t.thresholdHint(defaultThreshold)}
          value={threshold?.value ?? (lowStockThreshold === null ? '' : String(lowStockThreshold))}
          fieldErrors={threshold?.fieldErrors}
          inputmode="numeric"
        />
        <button type="submit">{shared.common.save}</button>
      </Form>
    </Panel>
  );
}

/** The reserved quantities, each with its request and the end of the reservation. */
function Reservations({ product: { reservations } }: Pick<ProductProps, 'product'>) {
  const t = messages();
  if (reservations.length === 0) return null;
  return (
    <ul>
      {reservations.map(({ requestId, quantity, until }) => (
        <li>
          <a href={requestPath(requestId)}>{shortIdOf(requestId)}</a> {t.reservedFor(quantity, formatTime(until))}
        </li>
      ))}
    </ul>
  );
}

/**
 * The latest stock movements with reason and actor. The CSV file has older ones as well.
 * @param names the names of members and keys, and the numbers of orders, by id
 */
function Movements({ movements, names, p1Id }: { movements: Movement[]; names: Map<string, string>; p1Id: string }) {
  const view = useView();
  const t = messages();
  const { common } = sharedMessages();
  return (
    <Panel
      title={t.movementsTitle}
      beside={
        movements.length > 0 && (
          <a href={`${productPath(p1Id)}/movements.csv`}>{labelFor(common.export, t.movementsTitle)}</a>
        )
      }
    >
      {movements.length === 0 ? (
        <p class="quiet">{t.movementsEmpty}</p>
      ) : (
        <Table
          rows={movements}
          columns={[
            { label: common.time, class: 'day', cell: ({ createdAt }) => <Time at={createdAt} /> },
            {
              label: common.reason,
              cell: (movement) => (
                <>
                  {sharedMessages().stockReasons[movement.reason]}
                  {movement.orderId && (
                    <>
                      {' '}
                      <a href={orderPath(movement.orderId)}>
                        {names.get(movement.orderId) ?? shortIdOf(movement.orderId)}
                      </a>
                    </>
                  )}
                  <small>
                    <bdi>{[movement.reference, actorText(view, movement, names)].filter(Boolean).join(' · ')}</bdi>
                  </small>
                </>
              ),
            },
            { label: t.change, kind: 'number', cell: (movement) => formatChange(changeOf(movement)) },
            { label: t.after, kind: 'number', cell: ({ after }) => after },
            { label: t.onHand, kind: 'number', cell: ({ onHandAfter }) => onHandAfter ?? t.none },
          ]}
        />
      )}
    </Panel>
  );
}

/** The change of the available stock; if that is 0, the change of the stock on hand. */
export function changeOf({ delta, onHandDelta }: Movement): number {
  return delta === 0 ? onHandDelta : delta;
}
