import type { FoundProduct, OrderableProduct } from '../../inventory/service';
import { findProductsFor } from '../../order-requests/service';
import type { ManageContext } from '../http/env';
import { formatMoney } from '../ui/format';
import { SEARCH_MAX } from '../ui/global-search';
import type { View } from '../ui/view';
import { REQUESTS } from './inbox-page';
import { priceText, type TypedLine, typedLines } from './lines';
import { answerReview } from './review';

/** What a search beside a line has found, or what was chosen from it. */
export interface Picking {
  row: number;
  found?: FoundProduct[];
  picked?: FoundProduct;
}

export function pickerPath(requestId: string): string {
  return `${REQUESTS}/${requestId}/products`;
}

/** `GET …/products?q=`: the choices alone; the script makes a list box of them (client/picker.js). */
export async function answerChoices(c: ManageContext, id: string): Promise<Response> {
  const text = textOf(c.req.query('q') ?? '');
  const found = text === '' ? [] : await findProductsFor(c.var.ctx, { id, text });
  const { words, language } = c.var;
  const choices = (
    <ul class="choices" aria-label={words.requests.productId} data-said={words.requests.foundProducts(found.length)}>
      {found.map((product) => (
        <li data-product={product.p1Id} data-price={priceText(product.priceCents, language)}>
          <ProductFacts view={{ words, language }} product={product} />
        </li>
      ))}
    </ul>
  );
  return c.html(choices) as Response;
}

/** `POST …/products`: the same page with all that was typed, and beside one line what was found or chosen. */
export async function answerPicking(c: ManageContext, id: string): Promise<Response> {
  const { form, ctx, language } = c.var;
  const lines = typedLines(form);
  const [chosenRow = '', ...chosen] = form.text('pick').split(':');
  const row = Number(chosenRow || form.text('search'));
  const line = lines[row];
  const state = { lines, overrideReason: form.text('override_reason') };
  const text = textOf(chosen.join(':') || line?.productId || line?.name || '');
  if (!line || text === '') return answerReview(c, id, { ...state, picking: { row, found: [] } });
  const found = await findProductsFor(ctx, { id, text });
  const picked = chosen.length > 0 ? found.find(({ p1Id }) => p1Id === text) : undefined;
  if (!picked) return answerReview(c, id, { ...state, picking: { row, found } });
  lines[row] = filledIn(line, picked, priceText(picked.priceCents, language));
  return answerReview(c, id, { ...state, picking: { row, picked } });
}

/** The chosen product's id; its price and a quantity where none was given. */
function filledIn(line: TypedLine, { p1Id }: FoundProduct, price: string): TypedLine {
  return { ...line, productId: p1Id, quantity: line.quantity || '1', price: line.price || price };
}

function textOf(typed: string): string {
  return [...typed.replace(/\p{Cc}/gu, '').trim()].slice(0, SEARCH_MAX).join('');
}

/** The choices as buttons of the line's form: a page without scripts has no other way to keep what was typed. */
export function Choices({ view, requestId, picking }: { view: View; requestId: string; picking: Picking }) {
  const words = view.words.requests;
  const { row, found, picked } = picking;
  if (picked) {
    return (
      <p class="choices" role="status" tabindex={-1} data-focus>
        <ProductFacts view={view} product={picked} />
      </p>
    );
  }
  return (
    <div class="choices" role="status" tabindex={-1} data-focus>
      <p class="hint">{words.foundProducts(found?.length ?? 0)}</p>
      {found?.map((product) => (
        <button type="submit" name="pick" value={`${row}:${product.p1Id}`} formaction={pickerPath(requestId)}>
          <ProductFacts view={view} product={product} />
        </button>
      ))}
    </div>
  );
}

/** A product as the request's shop sells it. */
export function ProductFacts({ view, product }: { view: Pick<View, 'words' | 'language'>; product: OrderableProduct }) {
  const words = view.words.requests;
  return (
    <span>
      <bdi>{product.name}</bdi>
      <small>
        {formatMoney(view.language, product.priceCents)} · {words.inStock(product.stockQuantity)}
        {product.prescriptionRequired && ` · ${view.words.orders.prescriptionRequired}`} · <bdi>{product.p1Id}</bdi>
      </small>
    </span>
  );
}
