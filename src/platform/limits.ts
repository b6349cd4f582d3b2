/**
 * The largest bodies that each interface reads, in bytes. The reference prints them from here.
 * The connector's holds a PDF of 10 MiB in base64, and room for the rest.
 */
export const BODY_BYTES_MAX = {
  connector: 15 * 1024 * 1024,
  organizationApi: 256 * 1024,
  token: 16 * 1024,
} as const;

/**
 * How many requests a minute each limiter lets through for one key in production. The limiters themselves stand in
 * wrangler.toml; test/node/config.test.ts compares them.
 */
export const REQUESTS_PER_MINUTE = { connector: 600, organizationApi: 600, token: 30 } as const;

/**
 * How many of the characters `{ [ , :` a body may have outside of its texts: each stands for a value that is made,
 * walked and checked.
 */
export const STRUCTURE_MAX = { connector: 50_000, elsewhere: 20_000 } as const;

/** Faults that one answer names. */
export const ERRORS_MAX = 50;

export const URL_LENGTH_MAX = 2048;

/** What a search takes. */
export const SEARCH_MAX = 64;
