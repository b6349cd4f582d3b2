import { Hono } from 'hono';
import type { Child } from 'hono/jsx';
import { pznOf } from '../../codes/read';
import type { OrderableProduct } from '../../inventory/browse';
import { exchangeProduct, previewExchange } from '../../order-requests/substitution';
import { findProductsForOrder } from '../../orders/detail';
import { QUANTITY_MAX } from '../../orders/limits';
import { type PlannedSubstitution, PRESCRIPTION_CHECKED, SUBSTITUTION_REASONS } from '../../orders/packing/substitute';
import { getOrder } from '../../orders/read';
import { DifferencesOpen, isBeingPacked, supplyKey } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { SEARCH_MAX } from '../../platform/limits';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import { idOf, orderPath } from '../http/paths';
import { submitDecision } from '../ui/confirm';
import { Button, Choice, Field, Form, Hidden, Select } from '../ui/fields';
import { plainLine } from '../ui/filters';
import { amountText, formatMoney, kept } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { numberAndName } from '../ui/order-summary';
import { differingSpans, MarkedName } from '../ui/panels';
import { ButtonLink, Facts, Icon, Notice, Panel } from '../ui/parts';
import {
  type FieldErrors,
  hasFieldErrors,
  mayUse,
  respondPage,
  textFor,
  tryForm,
  useView,
  type View,
} from '../ui/view';
import { otherProductMessages } from './messages';
import type { ExchangeProps, TypedExchange } from './order-parts';
import { REFUSALS, refuseWithOrder, respondOrder } from './responses';

/**
 * Routes for giving a line another product during packing. No URL names the product, because a product and its order
 * together are personal data.
 */
export const otherProductRoutes = new Hono<ManageEnv>()
  .get('/:id/other-product', async (c) => {
    const place = Number(c.req.query('line') ?? '');
    const order = await getOrder(c.var.ctx, idOf(c));
    if (!order.items[place] || !isBeingPacked(order)) return c.redirect(orderPath(order.id), 303);
    return respond(c, { line: supplyKey(order, place) }, []);
  })
  .post('/:id/products', (c) => respond(c, typedIn(c), acknowledgedIn(c)))
  .post('/:id/other-product', exchange);

function typedIn(c: ManageContext): TypedExchange {
  const { form } = c.var;
  const scanned = form.secret('q');
  const q = pznOf(scanned) ?? plainLine(scanned).slice(0, SEARCH_MAX);
  return { ...form.texts('line', 'p1_id', 'quantity', 'reason'), q };
}

function acknowledgedIn(c: ManageContext): string[] {
  return c.var.form.entries().flatMap(([name, value]) => (name === 'acknowledged' ? [value] : []));
}

/** The number of packs, 1 to `QUANTITY_MAX`; null if invalid. */
function quantityOf({ quantity = '' }: TypedExchange): number | null {
  const count = /^\d{1,4}$/.test(quantity) ? Number(quantity) : 0;
  return count >= 1 && count <= QUANTITY_MAX ? count : null;
}

function exchange(c: ManageContext): Promise<Response> {
  const typed = typedIn(c);
  const { fieldErrors: texts } = sharedMessages(c.var);
  const quantity = quantityOf(typed);
  const reason = SUBSTITUTION_REASONS.find((known) => known === typed.reason);
  const fieldErrors: FieldErrors = {
    ...(quantity === null && { quantity: texts.quantity }),
    ...(!reason && { reason: texts.reason_required }),
  };
  const acknowledged = acknowledgedIn(c);
  if (quantity === null || !reason) return respond(c, { ...typed, fieldErrors }, acknowledged);
  const substitution = { line: typed.line ?? '', p1Id: typed.p1_id ?? '', quantity, reason, acknowledged };
  return submitDecision(
    () => exchangeProduct(c.var.ctx, idOf(c), substitution),
    (error) => {
      if (!(error instanceof DifferencesOpen)) return refuseWithOrder(c)(error);
      return respond(c, { ...typed, fieldErrors: { acknowledged: texts.differences_open } }, acknowledged, 409);
    },
    () => redirectWithFlash(c, 'order_substituted', `${orderPath(idOf(c))}#packs`),
  );
}

/**
 * Responds with the page for another product, filled with the typed values. It has the search results or, when a
 * product is chosen, a preview of the exchange.
 */
async function respond(
  c: ManageContext,
  typed: TypedExchange,
  acknowledged: readonly string[],
  refusal: 400 | 409 = 400,
): Promise<Response> {
  const { ctx } = c.var;
  const chosen = { line: typed.line ?? '', p1Id: typed.p1_id ?? '', quantity: quantityOf(typed) };
  let found: OrderableProduct[] = [];
  if (!chosen.p1Id && typed.q) {
    found = await findProductsForOrder(ctx, { id: idOf(c), text: typed.q });
    const [only, ...others] = found.filter(({ p1Id }) => !chosen.line.endsWith(`:${p1Id}`));
    if (only && others.length === 0 && found.length === 1) chosen.p1Id = only.p1Id;
  }
  // Nothing is planned until a product is chosen.
  const { value: planned = null, fieldErrors } = chosen.p1Id
    ? await tryForm(c.var, REFUSALS, () => previewExchange(ctx, idOf(c), chosen))
    : {};
  // A single hit that cannot be taken stays in the list of hits.
  if (fieldErrors && found.length === 0) return respondOrder(c, { fieldErrors }, 409);
  const order = planned?.order ?? (await getOrder(ctx, idOf(c)));
  const place = order.items.findIndex((_, index) => supplyKey(order, index) === typed.line);
  if (place < 0) {
    return respondOrder(c, { fieldErrors: { packs: sharedMessages(c.var).fieldErrors.changed_meanwhile } }, 409);
  }
  const props = { order, place, typed, found, planned, acknowledged };
  return respondPage(
    c,
    <OtherProductPage {...props} />,
    hasFieldErrors(typed.fieldErrors ?? {}) ? refusal : 200,
    orderPath(idOf(c)),
  );
}

/** The page for another product: search or scan, choice, differences, reason, and one button. */
function OtherProductPage(props: ExchangeProps) {
  const { order, place, typed, found, planned } = props;
  const t = otherProductMessages();
  const line = order.items[place];
  if (!line) return null;
  const path = orderPath(order.id);
  return (
    <Page
      title={t.title(order.number)}
      heading={t.heading}
      lead={numberAndName(useView(), order)}
      fieldErrors={typed.fieldErrors}
      back={{ path, label: t.keep }}
    >
      <Panel title={`${amountText(line)} ${kept(line.productName ?? line.name)}`} isWide>
        <Form action={`${path}/products`} class="scan">
          <Hidden name="line" value={supplyKey(order, place)} />
          <label class="unseen" for="q">
            {t.search}
          </label>
          <Icon name="scan" />
          <input
            id="q"
            name="q"
            value={typed.q ?? ''}
            placeholder={t.hint}
            autocomplete="off"
            spellcheck={false}
            maxlength={200}
            data-scan
            data-key="s"
          />
          <button type="submit">{sharedMessages().common.show}</button>
        </Form>
        {typed.q && found.length === 0 && !planned && (
          <Notice tone="wait" role="status">
            {t.nothing}
          </Notice>
        )}
        {!planned && isPaid(order) && line.prescriptionRequired && <p class="hint">{t.paid}</p>}
        {!planned && found.length > 0 && <FoundList {...props} />}
        {planned && <ExchangeForm {...props} planned={planned} />}
      </Panel>
    </Page>
  );
}

const isPaid = ({ paymentStatus }: Order) => paymentStatus === 'paid' || paymentStatus === 'refunded';

/** Search results, each with a button if an exchange is possible. A paid order's prescription product keeps its price. */
function FoundList({ order, place, typed, found }: ExchangeProps) {
  const t = otherProductMessages();
  const { orders, requests } = sharedMessages();
  const line = order.items[place] as Order['items'][number];
  return (
    <Form action={`${orderPath(order.id)}/products`}>
      <Hidden name="line" value={supplyKey(order, place)} />
      <Hidden name="q" value={typed.q ?? ''} />
      <ul class="found">
        {found.map((product) => (
          <li>
            <span>
              <b dir="auto">{product.name}</b>
              <small>
                {[
                  product.pzn && `PZN ${product.pzn}`,
                  formatMoney(product.priceCents),
                  requests.inStock(product.stockQuantity),
                  product.prescriptionRequired && orders.prescriptionRequired,
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </small>
            </span>
            {product.p1Id === line.p1Id ? (
              <small>{t.same}</small>
            ) : isPaid(order) && product.prescriptionRequired && product.priceCents !== line.priceCents ? (
              <small>{t.codes.price}</small>
            ) : (
              <Button name="p1_id" value={product.p1Id} aria-label={`${t.choose}: ${product.name}`} label={t.choose} />
            )}
          </li>
        ))}
      </ul>
    </Form>
  );
}

interface Props extends Pick<ExchangeProps, 'typed' | 'acknowledged'> {
  planned: PlannedSubstitution;
}

/**
 * The form for the exchange: the accepted and the new line, the differences to acknowledge, and the reason. It has a
 * button only if the person's role may make the exchange.
 */
function ExchangeForm(props: Props) {
  const { planned, typed, acknowledged } = props;
  const { order, accepted, now, product, differences, prescriptions } = planned;
  const t = otherProductMessages();
  const { common, orders } = sharedMessages();
  const path = orderPath(order.id);
  const isPrescribed = accepted.prescriptionRequired || now.prescriptionRequired;
  const mayExchange = !isPrescribed || mayUse('prescriptions.write');
  const reasons = SUBSTITUTION_REASONS.map((value) => ({ value, label: t.reasons[value] }));
  return (
    <Form action={`${path}/other-product`} checkedBy={`${path}/products`} isGuarded>
      <Hidden name="line" value={typed.line ?? ''} />
      <Hidden name="q" value={typed.q ?? ''} />
      <Hidden name="p1_id" value={product.p1Id} />
      <div class="versus" id="versus" data-checked={t.checking}>
        <Versus planned={planned} />
      </div>
      <Field
        name="quantity"
        label={common.quantity}
        value={typed.quantity || String(now.quantity)}
        fieldErrors={typed.fieldErrors}
        inputmode="numeric"
      />
      <fieldset id="acknowledged" data-checked={t.checking}>
        {differences.length > 0 && <legend>{t.differences}</legend>}
        {differences.map((difference) => (
          <Notice tone={RED.has(difference.code) ? 'bad' : 'wait'} class="ack">
            <Choice
              {...{ type: 'checkbox', name: 'acknowledged', value: difference.key }}
              label={<DifferenceText {...difference} />}
              checked={acknowledged.includes(difference.key)}
              disabled={difference.code === PRESCRIPTION_CHECKED && !mayExchange}
              data-tick
              data-unchecked
            />
            {difference.code === PRESCRIPTION_CHECKED &&
              mayExchange &&
              prescriptions.slice(0, 1).map(({ id }) => (
                <a href={`/manage/prescriptions/${id}/pdf`} target="_blank" rel="noopener">
                  {t.seePrescription}
                </a>
              ))}
          </Notice>
        ))}
      </fieldset>
      <Select
        {...{ name: 'reason', label: common.reason, options: reasons, value: typed.reason }}
        none={orders.choose}
        fieldErrors={typed.fieldErrors}
        data-unchecked
      />
      <div class="acts">
        {mayExchange ? (
          <Button tone="primary" data-decide label={isPrescribed ? t.approveAnew : t.exchange} />
        ) : (
          <p class="fault">{t.whoChecks}</p>
        )}
        <ButtonLink path={path} label={t.keep} />
      </div>
    </Form>
  );
}

/** Differences that may mean another medicine. */
const RED = new Set(['substance', 'strength', 'form', 'release']);

/** The accepted and the new line, with the differences of their names underlined. */
function Versus({ planned: { accepted, now } }: Pick<Props, 'planned'>) {
  const t = otherProductMessages();
  const [before, after] = [accepted.productName ?? accepted.name, now.productName ?? now.name];
  const spans = differingSpans(before, after);
  const line = ({ quantity, priceCents, unit }: typeof now, name: Child) => (
    <>
      {amountText({ quantity, unit })} {name} · {formatMoney(quantity * priceCents)}
    </>
  );
  return (
    <Facts
      entries={[
        [t.accepted, line(accepted, <MarkedName name={before} spans={spans.asked} />)],
        [t.now, line(now, <MarkedName name={after} spans={spans.supplied} />)],
      ]}
    />
  );
}

type Difference = PlannedSubstitution['differences'][number];

/** The text of a difference: `Andere Gesamtmenge: 20 St statt 50 St`. */
function DifferenceText({ code, values }: Difference) {
  const t = otherProductMessages();
  if (code === PRESCRIPTION_CHECKED) {
    return (
      <>
        <b>{sharedMessages().prescriptions.approve}:</b> {t.covers}
      </>
    );
  }
  const isMoney = code === 'total' || code === 'price';
  const view = useView();
  const [accepted, now] = values.map((value) => (isMoney ? formatMoney(Number(value), view) : said(view, value)));
  return (
    <>
      <b>{textFor(t.codes, code)}:</b> {t.insteadOf(now ?? '', accepted ?? '')}
    </>
  );
}

function said(view: View, value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '–');
  const { size, unit } = value as { size: number; unit: string };
  return `${size} ${textFor(sharedMessages(view).orders.units, unit)}`;
}
