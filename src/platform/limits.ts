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
