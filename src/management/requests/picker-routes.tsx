import { Hono } from 'hono';
import { findProductsFor } from '../../order-requests/service';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import type { Form } from '../http/form-data';
import { idOf } from '../http/paths';
import { plainLine } from '../http/search';
import { priceText } from '../ui/price';
import { ChoiceList } from './product-choices';
import { readTyped, respondReview } from './responses';
import { typedForm } from './typed-form';

/** The search for a line's product. */
export const pickerRoutes = new Hono<ManageEnv>().get('/:id/products', respondChoices);

/** Buttons of lines set fields: none of them decides. */
export function isLook(form: Form): boolean {
  return form.text('set') !== '';
}

/** Only the choices; the script shows them as a list box (client/picker.js). */
async function respondChoices(c: ManageContext): Promise<Response> {
  return c.html(String(<ChoiceList view={c.var} found={await productsFor(c, c.req.query('q') ?? '')} />));
}

/** The same page with all that is typed, checked; a product that is added is one pack at its price. */
export async function respondLook(c: ManageContext): Promise<Response> {
  const typed = typedForm(c.var);
  const row = typed.lines.length - 1;
  const added = typed.lines[row];
  if (added && `${added.quantity}${added.price}` === '') {
    const found = await productsFor(c, added.productId);
    const product = found.length === 1 ? found[0] : found.find(({ p1Id }) => p1Id === added.productId);
    if (product) {
      const price = priceText(product.priceCents, c.var.language);
      typed.lines[row] = { ...added, productId: product.p1Id, quantity: '1', price };
      return respondReview(c, { ...typed, added: row });
    }
  }
  return respondReview(c, { ...typed, isChecked: true, fieldErrors: readTyped(c, typed).fieldErrors });
}

async function productsFor(c: ManageContext, typed: string) {
  const text = [...plainLine(typed)].slice(0, SEARCH_MAX).join('');
  return text === '' ? [] : findProductsFor(c.var.ctx, { id: idOf(c), text });
}
