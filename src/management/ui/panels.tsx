import type { Child } from 'hono/jsx';
import { MESSAGE_KINDS, MESSAGE_LANGUAGES, type MessageKind, type MessageLanguage } from '../../messages/tables';
import { MESSAGE_WORDS, type MessageFacts, mailtoLink, messageText, smsLink } from '../../messages/texts';
import { differencesOf } from '../../order-requests/names/differences';
import type { OrderDetail } from '../../orders/detail';
import type { OrderLine } from '../../orders/tables';
import { withoutHealth } from '../../platform/access';
import { isSetAside } from '../../prescriptions/coverage';
import { REPLACED } from '../../prescriptions/set-aside';
import type { PrescriptionRow } from '../../prescriptions/store';
import { CopyButton, FormButton, UploadForm } from './fields';
import { amountText, birthDateOf, formatTime, kept } from './format';
import { Chip } from './layout';
import { sharedMessages } from './messages';
import { ButtonLink, Facts, Notice, Panel, Quote } from './parts';
import { type FieldErrors, mayUse, useView, type View } from './view';

interface PanelProps {
  /** Path of the order. */
  path: string;
  prescriptions: readonly PrescriptionRow[];
  /** The order's lines that need a prescription. The key is the id of the line's product. */
  lines: ReadonlyMap<string, OrderLine>;
  /** Whether the lines need more than the approved prescriptions cover. */
  isUncovered: boolean;
  /**
   * Whether prescriptions may still be changed. If so, a file can be added while none is stored or being fetched, and
   * an approved prescription can be approved again.
   */
  isOpen: boolean;
  fieldErrors?: FieldErrors;
}

/** The reason why a prescription was set aside: the reason that staff gave, or that the platform replaced it. */
export function whyAside({ setAsideReason }: PrescriptionRow): string | null {
  return setAsideReason === REPLACED ? sharedMessages().prescriptions.replaced : setAsideReason;
}

/**
 * The prescriptions of an order. Their files are not shown in the page but opened by a click, because every access is
 * recorded. Only some roles see the link.
 */
export function PrescriptionPanel(props: PanelProps) {
  const { path, prescriptions, isOpen, fieldErrors } = props;
  const { prescriptions: t } = sharedMessages();
  const isMissing = !prescriptions.some(
    (each) => !isSetAside(each) && (each.status === 'stored' || each.status === 'fetching'),
  );
  return (
    <Panel title={t.title}>
      {prescriptions.length === 0 && <p class="quiet">{t.none}</p>}
      {prescriptions.map((prescription) => (
        <OnePrescription {...props} prescription={prescription} />
      ))}
      {isOpen && isMissing && maySee(useView()) && <UploadForm path={path} fieldErrors={fieldErrors} />}
    </Panel>
  );
}

function maySee({ session }: View): boolean {
  return session !== undefined && session.role !== 'staff';
}

type OneProps = PanelProps & { prescription: PrescriptionRow };

function OnePrescription(props: OneProps) {
  const { path, prescription, lines } = props;
  const { prescriptions: t } = sharedMessages();
  const { id, status, approvedAt, signedAt } = prescription;
  const isStored = status === 'stored';
  const isSeen = maySee(useView());
  const file = `/manage/prescriptions/${id}/pdf`;
  const act = `${path}/prescriptions/${id}`;
  const tone = { stored: 'off', fetching: 'off', fetch_failed: 'bad', erased: 'off' } as const;
  return (
    <div>
      <div class="facts">
        {isSetAside(prescription) ? (
          <Chip tone="off" mark="aside">
            {t.setAside}
          </Chip>
        ) : isStored && approvedAt !== null ? (
          <Chip tone="good">{t.approved(formatTime(approvedAt))}</Chip>
        ) : (
          <Chip tone={tone[status]} mark={status === 'fetching' ? 'half' : undefined}>
            {isStored ? t.toReview : t.states[status]}
          </Chip>
        )}
        {signedAt !== null && <Chip tone="good">{t.signatureChecked}</Chip>}
        {isStored && isSeen && (
          <a href={file} target="_blank" rel="noopener">
            {t.newTab}
          </a>
        )}
        {isStored && isSeen && <Approve {...props} action={`${act}/approve`} />}
        {status === 'fetch_failed' && isSeen && <FormButton action={`${act}/fetch`} label={t.fetchAgain} />}
      </div>
      {prescription.fileFault && <p class="fault">{t.fileFaults[prescription.fileFault]}</p>}
      {isStored && approvedAt !== null && <Covered {...{ prescription, lines }} />}
      {isStored && !isSeen && <p class="quiet">{t.hidden}</p>}
      {prescription.setAsideReason !== null && (
        <p class="quiet">
          {t.setAsideReason}: <bdi>{whyAside(prescription)}</bdi>
        </p>
      )}
    </div>
  );
}

/**
 * The button that approves a prescription. An approved prescription has the button, too, while the order's lines need
 * more than the approved prescriptions cover.
 */
function Approve(props: OneProps & { action: string }) {
  const { prescription, isOpen, isUncovered } = props;
  const { prescriptions: t } = sharedMessages();
  const isAgain = prescription.approvedAt !== null;
  if (isAgain && !(isOpen && isUncovered)) return null;
  return <FormButton action={props.action} label={isAgain ? t.approveAgain : t.approve} />;
}

function Covered({ prescription, lines }: Pick<OneProps, 'prescription' | 'lines'>) {
  const { prescriptions: t } = sharedMessages();
  const covered = (prescription.approvedLines ?? []).flatMap(({ p1Id, quantity }) => {
    const line = lines.get(p1Id);
    return line ? [{ ...line, quantity }] : [];
  });
  if (covered.length === 0) return <p class="quiet">{t.coversNothing}</p>;
  return (
    <>
      {/* Without `checkedAs`, a program reported the check. */}
      <p class="quiet">{prescription.checkedAs === null ? t.coversReported : t.covers}:</p>
      <ul class="quiet">
        {covered.map((line) => (
          <li>
            {amountText(line)} <bdi>{kept(line.productName ?? line.name)}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

type Question = Pick<OrderDetail['questions'][number], 'code' | 'text' | 'answeredAt'>;
type Details = Readonly<Record<string, string>> | null;

/** Platforms' names for the customer's words, in lower case, without hyphens, underscores and the plural's `s`. */
const NAMES = {
  allergies: ['allergie', 'allergy', 'allergien', 'knownallergie', 'intolerance', 'unverträglichkeiten'],
  note: ['note', 'customernote', 'ordernote', 'patientnote', 'comment', 'message'],
  delivery: ['deliveryinstruction', 'deliverynote', 'deliverycomment'],
};

type WordKind = keyof typeof NAMES;
const KINDS = Object.keys(NAMES) as WordKind[];

/** The customer's words of a kind in the platform's details. `delivery`: for the courier. */
export function wordsOf(kind: WordKind, details: Details): string[] {
  return Object.entries(details ?? {}).flatMap(([name, text]) => (kindOf(name) === kind && text ? [text] : []));
}

function kindOf(name: string): WordKind | undefined {
  const plain = name.toLowerCase().replace(/[_-]|s$/g, '');
  return KINDS.find((kind) => NAMES[kind].includes(plain));
}

/** The customer's words, each text only once. Allergies come first, then the notes. A list is shown without brackets. */
export function PersonWords({ note = null, details }: { note?: string | null; details: Details }) {
  const all = KINDS.flatMap((kind) =>
    [...(kind === 'note' ? [note ?? ''] : []), ...wordsOf(kind, details)].map((text) => [kind, text] as const),
  );
  return (
    <>
      {all
        .filter(([, text], at) => text && all.findIndex(([, other]) => other === text) === at)
        .map(([kind, text]) => (
          <Quote>
            <b>{sharedMessages().orders.words[kind]}:</b>{' '}
            <bdi>{/^\[.*\]$/.test(text) ? text.replace(/["[\]]/g, '').replaceAll(',', ', ') : text}</bdi>
          </Quote>
        ))}
    </>
  );
}

/** The unanswered questions. */
export function OpenQuestions({ questions }: { questions: readonly Question[] }) {
  const { openQuestion, questionCodes } = sharedMessages().orders;
  return (
    <>
      {questions
        .filter(({ answeredAt }) => answeredAt === null)
        .map(({ code, text }) => (
          <Notice tone="note">
            <b>{openQuestion(questionCodes[code])}:</b> <bdi>{text}</bdi>
          </Notice>
        ))}
    </>
  );
}

/** The platform's details that the signed-in person may see, without the customer's words and the date of birth. */
export function shownDetails(of: Parameters<typeof birthDateOf>[1]): [name: string, text: string][] {
  const born = birthDateOf(useView(), of);
  const details = mayUse('prescriptions.read') ? of.platformDetails : withoutHealth(of.platformDetails);
  return Object.entries(details ?? {}).filter(([name]) => name !== born?.name && !kindOf(name));
}

/** The platform's details under the platform's own names. */
export function PlatformFacts({ details }: { details: readonly (readonly [name: string, text: string])[] }) {
  return (
    <Facts
      entries={details.map(([name, text]) => [
        <code>
          <bdi>{name}</bdi>
        </code>,
        <span dir="auto">{text}</span>,
      ])}
    />
  );
}

interface Span {
  start: number;
  end: number;
  /** The tooltip of the span. */
  title?: string;
}

/**
 * A name whose `spans` are underlined. A span that overlaps an earlier one is not underlined. Each number stays on one
 * line with its unit.
 */
export function MarkedName({ name: text, spans = [] }: { name: string; spans?: readonly Span[] }) {
  const name = kept(text);
  const parts: Child[] = [];
  let from = 0;
  for (const { start, end, title } of spans.toSorted((one, other) => one.start - other.start)) {
    if (start < from) continue;
    parts.push(name.slice(from, start), <mark title={title}>{name.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <bdi>
      {parts}
      {name.slice(from)}
    </bdi>
  );
}

/** The parts in which the names of two packs differ: medicine, strength, form, size, manufacturer. */
export function differingSpans(askedName: string, suppliedName: string): Record<'asked' | 'supplied', Span[]> {
  const asked = { name: askedName, quantity: 1, priceCents: null };
  const pack = { quantity: 1, priceCents: 0, productPriceCents: 0, prescriptionRequired: false, content: null };
  const found = differencesOf(asked, { ...pack, name: suppliedName });
  return {
    asked: found.flatMap(({ spans }) => spans.asked),
    supplied: found.flatMap(({ spans }) => spans.supplied),
  };
}

const ID = 'message-panel';

interface MessageProps {
  /** The kinds of messages that fit, the most likely one first. */
  kinds: readonly MessageKind[];
  /** The customer's language. */
  language: MessageLanguage;
  facts: MessageFacts;
  email: string | null;
  phone: string | null;
  isFolded?: boolean;
  /** Messages that were already sent. */
  children?: Child;
}

/** A message to the customer, to copy or to open in the device's email or text message app. */
export function MessagePanel({ kinds, language, facts, email, phone, isFolded = false, children }: MessageProps) {
  const { messages: t, common } = sharedMessages();
  const [first] = kinds;
  if (first === undefined) return null;
  const texts = kinds.flatMap((kind) =>
    MESSAGE_LANGUAGES.map((each) => ({ kind, language: each, ...messageText(kind, each, facts) })),
  );
  const chosen = texts.find((text) => text.kind === first && text.language === language);
  if (!chosen) return null;
  const sms = phone === null ? null : smsLink(phone);
  return (
    <Frame title={t.title} isFolded={isFolded}>
      {children}
      <div class="message" data-unchecked>
        <label class="unseen" for="message">
          {t.language}
        </label>
        <select id="message" data-texts="message-text" autocomplete="off">
          {kinds.map((kind) => {
            const options = texts.filter((text) => text.kind === kind);
            const list = options.map((text) => (
              <option
                value={`${text.kind}.${text.language}`}
                selected={text === chosen}
                lang={text.language}
                data-dir={directionOf(text.language)}
                data-subject={text.subject}
                data-text={text.text}
              >
                {MESSAGE_WORDS[text.language].name}
              </option>
            ));
            return kinds.length > 1 ? <optgroup label={t.kinds[kind]}>{list}</optgroup> : list;
          })}
        </select>
        <label class="unseen" for="message-text">
          {t.text}
        </label>
        <textarea
          id="message-text"
          rows={7}
          readonly
          spellcheck={false}
          lang={chosen.language}
          dir={directionOf(chosen.language)}
        >
          {chosen.text}
        </textarea>
        <div class="acts">
          <CopyButton of="message-text" label={common.copy} />
          {email && (
            <ButtonLink path={mailtoLink(email, chosen)} data-written={mailtoLink(email)} icon="mail" label={t.email} />
          )}
          {phone && sms && <ButtonLink path={smsLink(phone, chosen.text) ?? sms} data-written={sms} label={t.sms} />}
        </div>
      </div>
    </Frame>
  );
}

/** The frame of the message panel. With `isFolded`, the person must unfold it. */
function Frame({ title, isFolded, children }: { title: string; isFolded: boolean; children: Child }) {
  if (!isFolded) {
    return (
      <Panel title={title} id={ID}>
        {children}
      </Panel>
    );
  }
  return (
    <details class="fold message-fold" id={ID}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}

function directionOf(language: MessageLanguage) {
  return MESSAGE_WORDS[language].isRightToLeft ? 'rtl' : 'ltr';
}

/** The kinds of messages that are set to true, in the order of `MESSAGE_KINDS`. */
export function messageKinds(wanted: Readonly<Partial<Record<MessageKind, boolean>>>): MessageKind[] {
  return MESSAGE_KINDS.filter((kind) => wanted[kind]);
}
