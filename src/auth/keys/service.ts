export { createApiKey } from './create';
export { authenticateToken, exchangeKey, revokeApiKey } from './exchange';
export { assertMayTry, countFailedKey } from './failed';
export { idOfKey } from './format';
export { type ApiKey, listApiKeys, rotateApiKey, setSubmittedEvents } from './manage';
export { countOldKeys } from './old-hashes';
export { isActiveKey } from './rules';
export type { ApiKeyRow } from './store';
export { actorOfKey, apiKeyById, isUsableKey, noteKeyUse } from './use';
