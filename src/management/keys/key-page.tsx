import { type ApiKey, isActiveKey } from '../../auth/keys/service';
import { callbackPathOf, KEYS, keyPath } from '../http/paths';
import { Form } from '../ui/fields';
import { formatTime } from '../ui/format';
import { Page, Time } from '../ui/layout';
import { sharedMessages } from '../ui/messages';
import { Facts, Panel } from '../ui/parts';
import type { View } from '../ui/view';
import { isIntegration, isReplaced, KeyChip, keyLabel, kindOf } from './list-page';
import { messages } from './messages';

interface KeyProps {
  view: View;
  apiKey: ApiKey;
}

/** One key: what it may do, whether it is used, and what can be done with it. @param keys all of the organization */
export function KeyPage({ view, apiKey: key, keys }: KeyProps & { keys: readonly ApiKey[] }) {
  const t = messages(view);
  const { common, nav } = sharedMessages(view);
  const isOld = isReplaced(keys, key, view.now);
  return (
    <Page
      view={view}
      title={key.name}
      back={{ path: KEYS, label: nav.keys }}
      lead={<KeyChip view={view} apiKey={key} isReplaced={isOld} isFilled />}
      acts={<Acts view={view} apiKey={key} isReplaced={isOld} />}
    >
      <div class="halves">
        <Panel title={kindOf(view, key)}>
          <Facts
            entries={[
              [t.begins, <code>{keyLabel(view, key)}</code>],
              [t.created, <Time view={view} at={key.createdAt} />],
              [t.lastUsed, key.lastUsedAt === null ? t.unused : <Time view={view} at={key.lastUsedAt} />],
              [t.expires, key.expiresAt === null ? t.never : formatTime(view.language, key.expiresAt)],
              [t.callback, key.callback && t.callbackTo(new URL(key.callback.url).host)],
            ]}
          />
          {isIntegration(key) && key.revokedAt === null && <EventsSwitch view={view} apiKey={key} />}
        </Panel>
        {key.scopes.length > 0 && (
          <Panel title={t.may}>
            <Facts entries={key.scopes.map((scope) => [<code>{scope}</code>, t.scopeNames[scope]])} />
            <p>
              <a href="/docs">{t.reference}</a>
            </p>
          </Panel>
        )}
      </div>
      {key.revokedAt === null && (
        <p>
          <a href={`${keyPath(key.id)}/revoke`}>{common.revoke}</a>
        </p>
      )}
    </Page>
  );
}

function Acts({ view, apiKey: key, isReplaced: isOld }: KeyProps & { isReplaced: boolean }) {
  const t = messages(view);
  if (!isActiveKey(key, view.now)) return null;
  return (
    <>
      {isIntegration(key) && (
        <a class="button" href={callbackPathOf(key.id)}>
          {t.callback}
        </a>
      )}
      {!isOld && (
        <a class="button" href={`${keyPath(key.id)}/rotate`}>
          {t.rotate}
        </a>
      )}
    </>
  );
}

/** Whether submissions with the key are told to the webhooks. */
function EventsSwitch({ view, apiKey: key }: KeyProps) {
  const t = messages(view);
  const { common } = sharedMessages(view);
  const isOn = key.sendsSubmittedEvents;
  return (
    <Form view={view} action={`${keyPath(key.id)}/submitted-events`}>
      <p>
        {isOn ? t.eventsOn : t.eventsOff}{' '}
        <button type="submit" name="on" value={isOn ? 'no' : 'yes'} title={t.eventsOf(key.name)}>
          {isOn ? common.turnOff : common.turnOn}
        </button>
      </p>
    </Form>
  );
}
