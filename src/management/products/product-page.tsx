import type { ProductDetail } from '../../inventory/service';
import { PRODUCTS, productPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel, Say } from '../ui/parts';
import type { View } from '../ui/view';
import { type ListFilter, rowId, withFilter } from './list-filter';

import { Matrix } from './matrix';
import { messages } from './messages';
import { Movements } from './movements';
import { RxMark, StockChip } from './product-table';
import { StockPanelForm, type TypedStock } from './stock';

/** What was refused on the product's page. */
export interface ProductState {
  stock?: TypedStock;
  threshold?: { value: string; fieldErrors: FieldErrors };
  /** Why a shop cannot offer it. */
  refused?: string;
}

interface ProductProps {
  view: View;
  product: ProductDetail;
  names: Map<string, string>;
  filter: ListFilter;
  mayEdit: boolean;
  state: ProductState;
}

export function ProductPage({ view, product, names, filter, mayEdit, state }: ProductProps) {
  const t = messages(view);
  return (
    <Page
      view={view}
      title={product.name}
      back={{ path: `${withFilter(PRODUCTS, filter)}#${rowId(product.catalog.slug ?? '')}`, label: t.back }}
      lead={
        <>
          {t.p1Id}: <bdi>{product.p1Id}</bdi> {product.pzn && `· PZN ${product.pzn} `}
          {product.own.values.prescriptionRequired && <RxMark view={view} />}
        </>
      }
    >
      {state.refused && (
        <Say tone="bad" role="alert" isFocused>
          {state.refused}
        </Say>
      )}
      <div class="two-columns decide-first">
        <div>
          <Matrix {...{ view, product, filter, mayEdit }} />
          <Movements view={view} movements={product.movements} names={names} />
        </div>
        <aside>
          <StockPanel {...{ view, product, filter, state }} />
          {mayEdit && (
            <p>
              <a href={withFilter(`${productPath(product.p1Id)}/remove`, filter)}>{t.remove}</a>
            </p>
          )}
        </aside>
      </div>
    </Page>
  );
}

function StockPanel({ view, product, filter, state }: Pick<ProductProps, 'view' | 'product' | 'filter' | 'state'>) {
  const shared = sharedMessages(view);
  const t = messages(view);
  const { stockQuantity, onHand, committedQuantity, shortage, lowStockThreshold, defaultThreshold } = product;
  const { threshold } = state;
  const at = (sub: string) => withFilter(`${productPath(product.p1Id)}${sub}`, filter);
  return (
    <Panel title={shared.common.stock}>
      <p>
        <strong class="count-of">{stockQuantity}</strong>{' '}
        <StockChip {...{ view, shortage }} stock={stockQuantity} threshold={lowStockThreshold ?? defaultThreshold} />
      </p>
      {committedQuantity > 0 && <p class="quiet">{t.promisedOf(onHand, committedQuantity)}</p>}
      {shortage > 0 && <p>{t.shortageLead}</p>}
      <StockPanelForm view={view} action={at('/stock')} typed={state.stock} />
      <Form view={view} action={at('/threshold')}>
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
