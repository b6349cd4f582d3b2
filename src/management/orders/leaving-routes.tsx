import { Hono } from 'hono';
import type { OrderableProduct } from '../../inventory/browse';
import { changeOrder } from '../../orders/change';
import { getLeavingOrder, getOrderDetail, type LeavingOrder, type OrderDetail } from '../../orders/detail';
import { TEXT_MAX } from '../../orders/limits';
import { getOrder } from '../../orders/read';
import { type ReturnedNow, returnableOf, returnedCount, returnOrder } from '../../orders/return';
import { handOverQuestions, isWeighed, owedCount, TRACKING_URL, waitsForPacking } from '../../orders/rules';
import type { Order } from '../../orders/store';
import { type OrderLine, type OrderStatus, UNPAID_REASONS } from '../../orders/tables';
import { roleHolds } from '../../platform/access';
import type { AppError } from '../../platform/errors/errors';
import { URL_LENGTH_MAX } from '../../platform/limits';
import { dayOf, readDay } from '../../platform/pharmacy-time';
import type { ManageContext, ManageEnv } from '../http/env';
import { redirectWithFlash } from '../http/flash';
import type { Flash } from '../http/flash-messages';
import { idOf, orderPath } from '../http/paths';
import { ConfirmPage, Decision, submitDecision } from '../ui/confirm';
import { Choice, controlOf, Fault, Field, Form, type FormState, Hidden } from '../ui/fields';
import { DayField } from '../ui/filters';
import { kept, quantityText } from '../ui/format';
import { Page } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { customerOf } from '../ui/order-summary';
import { ButtonLink, labelFor, Notice } from '../ui/parts';
import { TableHead } from '../ui/table';
import { type FieldErrors, fieldErrorsOf, hasFieldErrors, respondForm, useView } from '../ui/view';
import { HandOverPage, type LeavingField, ShipPage } from './leaving-page';
import { leavingMessages, messages } from './messages';
import { type OrderProps, shownField, type TrackingField } from './order-parts';
import { change, decideOrder, refuseWithOrder, respondOrder } from './responses';

const STEPS = {
  'hand-over': { from: 'ready_pickup', to: 'picked_up', Question: HandOverPage },
  ship: { from: 'ready_shipping', to: 'shipped', Question: ShipPage },
} as const;
type Way = keyof typeof STEPS;

/** Routes for hand-over, shipping and returns, and for a hold or missing original, which keep an order from leaving. */
export const leavingRoutes = new Hono<ManageEnv>()
  .get('/:id/hand-over', (c) => ask(c, 'hand-over'))
  .post('/:id/hand-over', (c) => leave(c, 'hand-over'))
  .get('/:id/ship', (c) => ask(c, 'ship'))
  .post('/:id/ship', (c) => leave(c, 'ship'))
  .post('/:id/parcel', (c) => {
    const { typed, fieldErrors, patch } = readTracking(c);
    if (hasFieldErrors(fieldErrors)) return respondOrder(c, { ...typed, fieldErrors });
    return change(c, patch, 'order_tracked');
  })
  .get('/:id/hold', (c) =>
    respondHold(c, { hold_reason: c.req.query('reason') === 'original' ? leavingMessages(c.var).holdForOriginal : '' }),
  )
  .post('/:id/hold', hold)
  .get('/:id/original', (c) => respondOriginal(c))
  .post('/:id/original', confirmOriginal)
  .get('/:id/return', async (c) => respondReturn(c, await getOrderDetail(c.var.ctx, idOf(c)), {}))
  .post('/:id/return', takeBack);

/** The path of the page that asks for confirmation before an order takes this step; undefined if nothing is asked. */
export async function questionBefore(c: ManageContext, step: OrderStatus): Promise<string | undefined> {
  if (step === 'picked_up') return `${orderPath(idOf(c))}/hand-over`;
  if (step !== 'shipped') return undefined;
  return isAskedToShip(await getLeavingOrder(c.var.ctx, idOf(c))) ? `${orderPath(idOf(c))}/ship` : undefined;
}

/** Whether a question must be answered before the order is sent. */
function isAskedToShip({ order, expired, ruled }: LeavingOrder): boolean {
  return owedCount(order) > 0 || Object.values(handOverQuestions(order, 'shipped', expired, ruled)).includes(true);
}

/**
 * Shows the page that asks for confirmation if the order may take the step. Otherwise redirects to the order's page,
 * which says why the order may not.
 */
async function ask(c: ManageContext, way: Way): Promise<Response> {
  const leaving = await getLeavingOrder(c.var.ctx, idOf(c));
  if (!isReady(leaving.order, way)) return c.redirect(orderPath(idOf(c)), 303);
  return respondQuestion(c, way, leaving, {});
}

/** Whether the order may take this step once the questions about it are answered. */
function isReady(order: Order, way: Way): boolean {
  const { from, to } = STEPS[way];
  return order.status === from && !order.onHold && !order.originalMissing && !waitsForPacking(order, to);
}

async function respondQuestion(c: ManageContext, way: Way, leaving: LeavingOrder, form: FormState<LeavingField>) {
  const { Question } = STEPS[way];
  return respondForm(c, <Question {...{ leaving, form }} />, form.fieldErrors, `${orderPath(leaving.order.id)}/${way}`);
}

async function leave(c: ManageContext, way: Way): Promise<Response> {
  const { form, ctx } = c.var;
  const { to } = STEPS[way];
  const leaving = await getLeavingOrder(ctx, idOf(c));
  const isReceived = form.text('cash_received') === 'yes';
  const { isPart, unpaidReason, answers, ...read } = readAnswers(c);
  const flash: Flash = isPart
    ? to === 'shipped'
      ? 'order_part_sent'
      : 'order_part_supplied'
    : to === 'shipped'
      ? 'order_moved'
      : isReceived
        ? 'order_handed_over'
        : 'order_collected';
  // A second submission, for example from another tab, changes nothing. The page then says so.
  if (leaving.order.status === to) return redirectWithFlash(c, 'order_left_before', orderPath(idOf(c)));
  // Obstacles are reported before the question is asked.
  if (!isReady(leaving.order, way)) return change(c, { status: to, ...(isPart && { isPart }) }, flash);
  const tracking = to === 'shipped' ? readTracking(c) : null;
  const typed = { ...read.typed, ...tracking?.typed };
  if (tracking && typed.seen === '' && isAskedToShip(leaving)) return askAfter(c, tracking);
  const isLeftUnpaid = to === 'shipped' || form.text('cash_received') === 'no';
  const fieldErrors = {
    ...faultsOf(c, leaving, to, { ...typed, isReasonMissing: isLeftUnpaid && !unpaidReason }),
    ...tracking?.fieldErrors,
  };
  if (hasFieldErrors(fieldErrors)) return respondQuestion(c, way, leaving, { ...typed, fieldErrors });
  const patch = {
    status: to,
    ...(isPart && { isPart }),
    ...tracking?.patch,
    ...(to === 'picked_up' && { collectedBy: typed.collected_by || null }),
    ...(isReceived && { cashReceived: true }),
    ...(isLeftUnpaid && { unpaidReason }),
    ...answers,
  };
  return submitLeaving(
    c,
    () => changeOrder(ctx, idOf(c), patch),
    (now, fieldErrors) => respondQuestion(c, way, now, { ...typed, fieldErrors }),
    () => redirectWithFlash(c, flash, orderPath(idOf(c))),
  );
}

/** Reads the answers of a form that asks for confirmation before goods leave. */
export function readAnswers({ var: { form } }: ManageContext) {
  const typed = form.texts(
    ...(['collected_by', 'unpaid_reason', 'address_known', 'expiry_accepted', 'rules_accepted', 'seen'] as const),
  );
  const answers = {
    isAddressKnown: typed.address_known === 'yes',
    isExpiryAccepted: typed.expiry_accepted === 'yes',
    areRulesAccepted: typed.rules_accepted === 'yes',
    seenAt: /^\d{1,15}$/.test(typed.seen) ? Number(typed.seen) : undefined,
  };
  const unpaidReason = UNPAID_REASONS.find((known) => known === typed.unpaid_reason);
  return { typed, answers, unpaidReason, isPart: form.text('part') === 'yes' };
}

/**
 * Runs the step by which goods leave, and responds.
 * @param ask shows the page with the question again; called if somebody else has changed the order
 */
export function submitLeaving(
  c: ManageContext,
  run: () => Promise<unknown>,
  ask: (leaving: LeavingOrder, fieldErrors: FieldErrors) => Promise<Response>,
  then: () => Response,
): Promise<Response> {
  const refuse = async (error: AppError) => {
    const changed = error.code === 'changed_meanwhile' && fieldErrorsOf(c.var, { changed_meanwhile: 'main' }, error);
    const refused = await (changed
      ? ask(await getLeavingOrder(c.var.ctx, idOf(c)), changed)
      : refuseWithOrder(c)(error));
    if (!refused) throw error;
    return refused;
  };
  return submitDecision(run, refuse, then);
}

/**
 * Handles the form for shipping on the order's page. The form has only the parcel fields, so the function saves them
 * and redirects to the page that asks for confirmation.
 */
function askAfter(c: ManageContext, { typed, fieldErrors, patch }: ReturnType<typeof readTracking>): Promise<Response> {
  if (hasFieldErrors(fieldErrors)) return respondOrder(c, { ...typed, fieldErrors });
  return submitDecision(
    () => changeOrder(c.var.ctx, idOf(c), patch),
    refuseWithOrder(c),
    () => c.redirect(`${orderPath(idOf(c))}/ship`, 303),
  );
}

/** Errors of missing or invalid answers, by field. */
export function faultsOf(
  c: ManageContext,
  { order, expired, ruled }: LeavingOrder,
  to: 'picked_up' | 'shipped',
  typed: Record<Exclude<LeavingField, TrackingField>, string> & { isReasonMissing: boolean },
): FieldErrors {
  const t = leavingMessages(c.var);
  const open = handOverQuestions(order, to, expired, ruled);
  return {
    ...(open.isExpired && typed.expiry_accepted !== 'yes' && { expiry_accepted: t.expiryOpen }),
    ...(open.isRuled && typed.rules_accepted !== 'yes' && { rules_accepted: t.rulesOpen }),
    ...(open.isAddressMissing && typed.address_known !== 'yes' && { address_known: t.addressUnknown }),
    ...(open.isUnpaid && typed.isReasonMissing && { unpaid_reason: sharedMessages(c.var).fieldErrors.reason_required }),
    ...(typed.collected_by.length > TEXT_MAX && { collected_by: sharedMessages(c.var).fieldErrors.text_too_long }),
  };
}

async function respondHold(c: ManageContext, form: FormState<'hold_reason'>): Promise<Response> {
  const order = await getOrder(c.var.ctx, idOf(c));
  if (order.onHold) return c.redirect(orderPath(order.id), 303);
  return respondForm(c, <HoldPage {...{ order, form }} />, form.fieldErrors);
}

function hold(c: ManageContext): Promise<Response> {
  const holdReason = c.var.form.text('hold_reason');
  if (holdReason.length <= TEXT_MAX) {
    return change(c, { onHold: true, holdReason: holdReason || null }, 'order_held');
  }
  const fieldErrors = { hold_reason: sharedMessages(c.var).fieldErrors.text_too_long };
  return respondHold(c, { hold_reason: holdReason, fieldErrors });
}

async function respondOriginal(c: ManageContext, typed: Record<string, string> = {}, fieldErrors?: FieldErrors) {
  const leaving = await getLeavingOrder(c.var.ctx, idOf(c));
  if (!leaving.order.originalMissing) return c.redirect(orderPath(idOf(c)), 303);
  return respondForm(c, <OriginalPage {...{ leaving, typed, fieldErrors }} />, fieldErrors);
}

async function confirmOriginal(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const { copies } = await getLeavingOrder(ctx, idOf(c));
  const days = copies.map(({ id }) => [id, form.text(issuedField(id))] as const).filter(([, day]) => day !== '');
  const wrong = days.filter(([, day]) => readDay(day) === null || day > dayOf(ctx.now()));
  if (wrong.length > 0) {
    return respondOriginal(
      c,
      Object.fromEntries(days.map(([id, day]) => [issuedField(id), day])),
      Object.fromEntries(wrong.map(([id]) => [issuedField(id), leavingMessages(c.var).issuedWrong])),
    );
  }
  return change(c, { originalMissing: false, issued: new Map(days) }, 'original_confirmed');
}

async function takeBack(c: ManageContext): Promise<Response> {
  const { form, ctx } = c.var;
  const detail = await getOrderDetail(ctx, idOf(c));
  const t = leavingMessages(c.var);
  const typed: Record<string, string> = form.texts('seen');
  const fieldErrors: FieldErrors = {};
  const lines: ReturnedNow[] = detail.order.items.map((_, place) => {
    const [field, restock] = [returnedField(place), restockField(place)];
    typed[field] = form.text(field);
    typed[restock] = form.text(restock);
    const left = returnableOf(detail.order, place);
    const quantity = /^\d{0,5}$/.test(typed[field]) ? Number(typed[field]) : Number.NaN;
    if (!(quantity <= left)) fieldErrors[field] = t.quantityRange(left);
    return { quantity, isRestocked: typed[restock] === 'yes' };
  });
  if (!hasFieldErrors(fieldErrors) && lines.every(({ quantity }) => quantity === 0)) {
    fieldErrors[returnedField(0)] = t.nothingBack;
  }
  if (hasFieldErrors(fieldErrors)) return respondReturn(c, detail, typed, fieldErrors);
  const seen = Number(typed.seen);
  return decideOrder(c, () => returnOrder(ctx, idOf(c), { lines, seen }), 'order_returned');
}

async function respondReturn(
  c: ManageContext,
  detail: OrderDetail,
  typed: Record<string, string>,
  fieldErrors: FieldErrors = {},
) {
  return respondForm(c, <ReturnPage {...{ detail, typed, fieldErrors }} />, fieldErrors);
}

/**
 * Reads the parcel fields that the person changed. A field that was not changed is undefined, because a program may
 * have written it since the page was loaded.
 * @returns the typed texts, the errors by field, and the patch
 */
function readTracking(c: ManageContext) {
  const { form } = c.var;
  const asTyped = (name: TrackingField) => {
    const text = form.text(name);
    return text === form.text(shownField(name)) ? undefined : text;
  };
  const [carrier, number, url] = [asTyped('carrier'), asTyped('tracking_number'), asTyped('tracking_url')];
  const { text_too_long } = sharedMessages(c.var).fieldErrors;
  const isUrlWrong = !!url && (url.length > URL_LENGTH_MAX || !TRACKING_URL.test(url));
  const fieldErrors: FieldErrors = {
    ...((carrier?.length ?? 0) > TEXT_MAX && { carrier: text_too_long }),
    ...((number?.length ?? 0) > TEXT_MAX && { tracking_number: text_too_long }),
    ...(isUrlWrong && { tracking_url: leavingMessages(c.var).trackingUrlWrong }),
  };
  const written = (text: string | undefined) => (text === '' ? null : text);
  return {
    typed: { carrier, tracking_number: number, tracking_url: url },
    fieldErrors,
    patch: { carrier: written(carrier), trackingNumber: written(number), trackingUrl: written(url) },
  };
}

/** Asks for confirmation before an order is put on hold. Nothing of the order leaves until the hold is lifted. */
function HoldPage({ order, form }: OrderProps & { form: FormState<'hold_reason'> }) {
  const { common } = sharedMessages();
  const t = leavingMessages();
  const path = orderPath(order.id);
  return (
    <ConfirmPage
      title={t.holdTitle(order.number)}
      fieldErrors={form.fieldErrors}
      lead={t.holdLead}
      action={`${path}/hold`}
      act={t.hold}
      back={path}
      isHarmless
    >
      <Field name="hold_reason" label={common.optional(common.reason)} form={form} data-note />
    </ConfirmPage>
  );
}

const issuedField = (prescriptionId: string) => `issued-${prescriptionId}`;

interface Typed {
  /** The typed values by field name. */
  typed: Readonly<Record<string, string>>;
  fieldErrors?: FieldErrors;
}

/** Asks whether the original matches the copy that was approved, and for the date of issue of the original. */
function OriginalPage({ leaving: { order, copies }, typed, fieldErrors }: Typed & { leaving: LeavingOrder }) {
  const view = useView();
  const { common, prescriptions } = sharedMessages();
  const t = leavingMessages();
  const path = orderPath(order.id);
  if (!view.session || !roleHolds(view.session.role, 'prescriptions.write')) {
    return (
      <Page title={t.originalTitle(order.number)} isDialog>
        <p>{messages().whoConfirms}</p>
        <div class="ends">
          <ButtonLink path={path} label={common.back} />
        </div>
      </Page>
    );
  }
  return (
    <Page title={t.originalTitle(order.number)} fieldErrors={fieldErrors} isDialog>
      <p>{t.originalLead}</p>
      <Form action={`${path}/original`} isGuarded>
        {copies.map(({ id, issuedOn }) => (
          <>
            <p>
              <a href={`/manage/prescriptions/${id}/pdf`} target="_blank" rel="noopener">
                {prescriptions.newTab}
              </a>
            </p>
            <DayField
              {...{ name: issuedField(id), label: common.optional(t.issuedOn), fieldErrors }}
              value={typed[issuedField(id)] ?? issuedOn ?? ''}
              max={dayOf(view.now)}
            />
          </>
        ))}
        <Decision act={t.originalChecked} back={path} isHarmless>
          <ButtonLink path={`${path}/hold?reason=original`} tone="danger" label={t.originalDiffers} />
        </Decision>
      </Form>
    </Page>
  );
}

const returnedField = (place: number) => `back_${place}`;
const restockField = (place: number) => `restock_${place}`;

/** The return form, by line. Only ticked lines go back into stock, and prescription medicines never do. */
function ReturnPage({ detail: { order, products }, typed, fieldErrors = {} }: Typed & { detail: OrderDetail }) {
  const t = leavingMessages();
  const path = orderPath(order.id);
  const seen = returnedCount(order);
  const isWhole = order.status === 'ready_pickup';
  return (
    <Page title={t.returnTitle(order.number, customerOf(useView(), order))} fieldErrors={fieldErrors} isDialog>
      <p class="hint">{t.returnLead}</p>
      {isWhole && <Notice tone="note">{t.returnWhole}</Notice>}
      <Form action={`${path}/return`} isGuarded>
        <Hidden name="seen" value={typed.seen ?? seen} />
        <table class="returns">
          <TableHead columns={[t.item, t.back, t.restock]} />
          <tbody>
            {order.items.map((item, place) => {
              const name = item.productName ?? item.name;
              const left = returnableOf(order, place);
              const field = returnedField(place);
              return (
                <tr>
                  <td>
                    <bdi>{kept(name)}</bdi>
                  </td>
                  <td>
                    <Fault name={field} text={fieldErrors[field]} />
                    <span class="with">
                      <input
                        {...controlOf(field, fieldErrors[field])}
                        value={typed[field] ?? (isWhole ? left : 0)}
                        inputmode="numeric"
                        autocomplete="off"
                        size={4}
                        aria-label={t.backOf(name)}
                      />
                      {t.of(quantityText(left, item.unit))}
                    </span>
                  </td>
                  <td>
                    <Restock
                      {...{ item, name }}
                      product={products.get(item.p1Id ?? '')}
                      field={restockField(place)}
                      isTicked={typed[restockField(place)] === 'yes'}
                    />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
        <Decision act={t.returnNow} back={path} />
      </Form>
    </Page>
  );
}

interface RestockProps {
  item: OrderLine;
  name: string;
  product: OrderableProduct | undefined;
  field: string;
  isTicked: boolean;
}

/** The checkbox that puts a line back into stock, or the reason why that is impossible. */
function Restock({ item, name, product, field, isTicked }: RestockProps) {
  const t = leavingMessages();
  const isPrescription = item.prescriptionRequired || product?.prescriptionRequired === true;
  if (isWeighed(item)) return <span class="quiet">{t.restockWeighed}</span>;
  if (!product || isPrescription) return <span class="quiet">{isPrescription ? t.restockNo : t.noProduct}</span>;
  return <Choice type="checkbox" name={field} value="yes" checked={isTicked} label={labelFor(t.restockYes, name)} />;
}
