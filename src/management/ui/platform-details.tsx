import type { OrderDetail } from '../../orders/service';
import { roleHolds } from '../../platform/access';
import { withoutHealth } from '../../platform/health-details';
import { sharedMessages } from './messages';
import { Facts, Said, Say } from './parts';
import type { View } from './view';

type Question = Pick<OrderDetail['questions'][number], 'code' | 'text' | 'answeredAt'>;
type Details = Readonly<Record<string, string>> | null;

/** What platforms call a person's words, without signs and in small letters. */
const NAMES = {
  note: [
    'note',
    'notes',
    'customernote',
    'customernotes',
    'ordernote',
    'patientnote',
    'comment',
    'comments',
    'message',
  ],
  delivery: ['deliveryinstructions', 'deliverynote', 'deliverynotes', 'deliverycomment'],
} as const;

/** What a person wrote for whoever brings the goods. */
export function deliveryWords(details: Details): string[] {
  const isDelivery = (name: string) => kindOf(name) === 'delivery';
  return Object.entries(details ?? {}).flatMap(([name, text]) => (isDelivery(name) && text !== '' ? [text] : []));
}

function kindOf(name: string): keyof typeof NAMES | undefined {
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  return (['note', 'delivery'] as const).find((kind) => (NAMES[kind] as readonly string[]).includes(plain));
}

/** What a person wrote, each text once: the note, then what the platform sent beside the fields of the contract. */
export function PersonWords({ view, note = null, details }: { view: View; note?: string | null; details: Details }) {
  const { words } = sharedMessages(view).orders;
  const sent = (['note', 'delivery'] as const).flatMap((kind) =>
    Object.entries(details ?? {})
      .filter(([name]) => kindOf(name) === kind)
      .map(([, text]): [typeof kind, string] => [kind, text]),
  );
  const all = [['note', note ?? ''] as const, ...sent].filter(([, text]) => text !== '');
  return (
    <>
      {all
        .filter(([, text], at) => all.findIndex(([, other]) => other === text) === at)
        .map(([kind, text]) => (
          <Said>
            <b>{words[kind]}:</b> <bdi>{text}</bdi>
          </Said>
        ))}
    </>
  );
}

/** What was asked and nobody has answered. */
export function OpenQuestions({ view, questions }: { view: View; questions: readonly Question[] }) {
  const { openQuestion, questionCodes } = sharedMessages(view).orders;
  return (
    <>
      {questions
        .filter(({ answeredAt }) => answeredAt === null)
        .map(({ code, text }) => (
          <Say tone="note">
            <b>{openQuestion(questionCodes[code])}:</b> <bdi>{text}</bdi>
          </Say>
        ))}
    </>
  );
}

/** The details that the signed-in person may see. */
export function shownDetails({ session }: Pick<View, 'session'>, details: Details): [name: string, text: string][] {
  const maySee = session !== undefined && roleHolds(session.role, 'prescriptions.read');
  return Object.entries((maySee ? details : withoutHealth(details)) ?? {});
}

/** What the platform sent, by its own names. */
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
