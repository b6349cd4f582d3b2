import {
  MESSAGE_KINDS,
  MESSAGE_LANGUAGES,
  MESSAGE_WORDS,
  type MessageFacts,
  type MessageKind,
  type MessageLanguage,
  mailtoLink,
  messageText,
  smsLink,
} from '../../messages/service';
import type { Child } from '../../platform/markup/markup';
import { Icon } from './icons';
import { sharedMessages } from './messages';
import { Panel } from './parts';
import type { View } from './view';

const ID = 'message-panel';

interface MessageProps {
  view: View;
  /** What there is to say, the likeliest first. */
  kinds: readonly MessageKind[];
  /** The customer's. */
  language: MessageLanguage;
  facts: MessageFacts;
  email: string | null;
  phone: string | null;
  isFolded?: boolean;
  /** What was sent already. */
  children?: Child;
}

/** A text for the customer, ready to be copied or taken to the e-mail or text messages of the device. */
export function MessagePanel({ view, kinds, language, facts, email, phone, isFolded = false, children }: MessageProps) {
  const { messages: t, common } = sharedMessages(view);
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
          <button type="button" hidden data-copy="message-text" data-copied={common.copied}>
            {common.copy}
          </button>
          {email && (
            <a class="button" href={mailtoLink(email, chosen)} data-written={mailtoLink(email)}>
              <Icon name="mail" />
              {t.email}
            </a>
          )}
          {phone && sms && (
            <a class="button" href={smsLink(phone, chosen.text) ?? sms} data-written={sms}>
              {t.sms}
            </a>
          )}
        </div>
      </div>
    </Frame>
  );
}

interface FrameProps {
  title: string;
  isFolded: boolean;
  children: Child;
}

/** Folded, it stands among the parts of a form that is about something else. */
function Frame({ title, isFolded, children }: FrameProps) {
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

/** Of all kinds those that are wanted, in their order. */
export function messageKinds(wanted: Readonly<Record<MessageKind, boolean>>): MessageKind[] {
  return MESSAGE_KINDS.filter((kind) => wanted[kind]);
}
