import type { ProductDetail } from '../../inventory/service';
import { PRODUCTS, productPath } from '../http/paths';
import { Field, Form } from '../ui/fields';
import type { FieldErrors } from '../ui/form-errors';
import { Icon } from '../ui/icons';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Panel, Say } from '../ui/parts';
import type { View } from '../ui/view';
import { type ListFilter, rowId, withFilter } from './list-filter';

import { Matrix } from './matrix';
import { messages } from './messages';
import { Movements } from './movements';
import { RxMark, StockChip } from './product-table';
import { ShopsPanel } from './shops-panel';
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
  const { category } = product.own.values;
  return (
    <Page
      view={view}
      title={product.name}
      back={{ path: `${withFilter(PRODUCTS, filter)}#${rowId(product.catalog.slug ?? '')}`, label: t.back }}
      lead={
        <>
          {product.pzn && `PZN ${product.pzn} · `}
          <bdi>{product.p1Id}</bdi>
          {category && (
            <>
              {' · '}
              <bdi>{category}</bdi>
            </>
          )}{' '}
          {product.own.values.prescriptionRequired && <RxMark view={view} />}
        </>
      }
      acts={
        mayEdit && (
          <a class="button" href={withFilter(`${productPath(product.p1Id)}/edit`, filter)}>
            <Icon name="pencil" />
            {t.editOrganization}
          </a>
        )
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
          <Movements view={view} movements={product.movements} names={names} p1Id={product.p1Id} />
        </div>
        <aside>
          <StockPanel {...{ view, product, filter, state }} />
          <ShopsPanel {...{ view, product, filter, mayEdit }} />
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
  const limit = lowStockThreshold ?? defaultThreshold;
  return (
    <Panel
      title={shared.common.stock}
      beside={<StockChip {...{ view, shortage }} stock={stockQuantity} threshold={limit} />}
    >
      <p>
        <strong class="count-of">{stockQuantity}</strong>{' '}
        <span class="quiet">
          {shared.common.threshold}: {limit}
        </span>
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
