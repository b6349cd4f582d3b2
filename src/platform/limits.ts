/**
 * The largest body that each interface reads, in bytes. The reference prints these values. The connector's limit allows
 * a PDF of 10 MiB in base64 and the other fields.
 */
export const BODY_BYTES_MAX = {
  connector: 15 * 1024 * 1024,
  organizationApi: 256 * 1024,
  token: 16 * 1024,
} as const;

/**
 * How many requests per minute each limiter allows for one key in production. The limiters themselves are defined in
 * wrangler.toml; test/node/config.test.ts compares the two.
 */
export const REQUESTS_PER_MINUTE = { connector: 600, organizationApi: 600, token: 30 } as const;
