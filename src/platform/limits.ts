import { DAY_SECONDS } from './time';

/**
 * The largest body that each interface reads, in bytes. The reference prints these values. The connector's limit allows
 * a PDF of 10 MiB in base64 and the other fields.
 */
export const BODY_BYTES_MAX = {
  connector: 15 * 1024 * 1024,
  organizationApi: 256 * 1024,
  bulk: 1024 * 1024,
  token: 16 * 1024,
} as const;

/** How many entries a page of a list has: by default, and at most (`limit`). */
export const PAGE_LIMIT = { connector: { default: 50, max: 200 }, organizationApi: { default: 50, max: 200 } } as const;

/**
 * For how many seconds browsers and proxies may keep the documents of the API, the start page, and a shop's page. A
 * shop's page is kept for the shortest time, because a shop may move or be suspended.
 */
export const CACHED_SECONDS = { documents: 300, start: 300, shop: 60 } as const;

/**
 * How many requests per minute each limiter allows for one key in production. The limiters themselves are defined in
 * wrangler.toml. test/node/config.test.ts compares both.
 */
export const REQUESTS_PER_MINUTE = { connector: 600, connectorReads: 600, organizationApi: 600, token: 30 } as const;

/**
 * The most characters `{ [ , :` that a body may have outside of strings. Each of them stands for a value that must be
 * parsed and checked.
 */
export const STRUCTURE_MAX = { connector: 50_000, bulk: 50_000, elsewhere: 20_000 } as const;

export const IDEMPOTENCY_KEY_CHARACTERS_MAX = 255;

/** The most errors that a response lists. */
export const ERRORS_MAX = 50;

export const URL_LENGTH_MAX = 2048;

/**
 * The most characters of a link to a prescription. It is large, because storage services sign links with tokens of
 * several thousand characters.
 */
export const PRESCRIPTION_URL_LENGTH_MAX = 8192;

/** The most characters of a search text. */
export const SEARCH_MAX = 64;

/** The most attempts of a webhook delivery (contract 6.7), and of fetching a prescription. */
export const ATTEMPTS_MAX = 3;
/** The longest delay that a receiver may ask for. It is also the longest delay that a queue supports. */
export const RETRY_AFTER_SECONDS_MAX = DAY_SECONDS;

/** `Retry-After` while D1 or R2 cannot be reached, an organization is moving or missing, or the intake is stopped. */
export const RETRY_UNAVAILABLE_SECONDS = 5;
export const RETRY_MOVING_SECONDS = 30;
export const RETRY_MISSING_SECONDS = 300;
export const RETRY_INTAKE_SECONDS = 60;
/** The period of every limiter in wrangler.toml, in seconds. It is also the longest wait after a 429. */
export const RATE_LIMIT_SECONDS = 60;

/**
 * The longest time for a body to arrive: for a small one (at most `SMALL_BYTES_MAX`, http/body-memory.ts) and for a
 * larger one.
 */
export const SMALL_BODY_MS_MAX = 20_000;
export const LARGE_BODY_MS_MAX = 120_000;
/** The most levels of nested objects and lists in JSON. */
export const JSON_DEPTH_MAX = 16;
/** The most bytes of a page of a list, so that the data of one organization do not delay the others. */
export const PAGE_BYTES_MAX = 2 * 1024 ** 2;
/** The largest amount, in cents: 10 million EUR, far below 2^53. */
export const AMOUNT_CENTS_MAX = 1_000_000_000;
/**
 * The number of days for which an object in the other provider's bucket is locked. Nobody can change or delete it
 * during these days. The data of an ended organization can be deleted from the bucket only after these days.
 */
export const BACKUP_LOCKED_DAYS = 30;
/** The most bytes of one PDF, after decoding. */
export const PDF_BYTES_MAX = 10 * 1024 * 1024;
