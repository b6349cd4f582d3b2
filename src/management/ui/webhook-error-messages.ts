import { SOURCE_MAX } from '../../orders/limits';
import { CALLBACKS_MAX, FILTERED_MAX, SUBSCRIPTIONS_MAX, TESTS_A_MINUTE } from '../../webhooks/limits';

/** Texts of errors of webhooks, by code or by field. */
export const webhookErrorMessages = {
  event_type: { de: 'Bitte ein Ereignis wählen.', en: 'Please choose an event.' },
  too_many_tests: {
    de: `Höchstens ${TESTS_A_MINUTE} Testereignisse in einer Minute. Warten Sie einen Moment.`,
    en: `At most ${TESTS_A_MINUTE} test events a minute. Wait a moment.`,
  },
  secret_overlap_running: {
    de: 'Der Schlüssel vor dem letzten Erneuern gilt noch. Beenden Sie erst seine Frist, oder lassen Sie alle bisherigen ab sofort enden.',
    en: 'The secret before the last rotation is still valid. End its overlap first, or end all earlier ones at once.',
  },
  subscription_changed: {
    de: 'Jemand hat das Abonnement inzwischen geändert. Laden Sie die Seite neu.',
    en: 'Somebody has changed the subscription in the meantime. Reload the page.',
  },
  callback_limit_reached: {
    de: `Höchstens ${CALLBACKS_MAX} Integrationen haben einen Rückruf. Löschen Sie zuerst einen.`,
    en: `At most ${CALLBACKS_MAX} integrations have a callback. Delete one first.`,
  },
  sources: {
    de: `Höchstens ${FILTERED_MAX} Plattformen, jede mit höchstens ${SOURCE_MAX} Zeichen.`,
    en: `At most ${FILTERED_MAX} platforms, each of at most ${SOURCE_MAX} characters.`,
  },
  unknown_shop: { de: 'Bitte eigene Shops wählen.', en: 'Please choose shops of your own.' },
  subscription_limit_reached: {
    de: `Höchstens ${SUBSCRIPTIONS_MAX} Abonnements. Löschen Sie zuerst eines.`,
    en: `At most ${SUBSCRIPTIONS_MAX} subscriptions. Delete one first.`,
  },
};
