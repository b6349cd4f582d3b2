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
