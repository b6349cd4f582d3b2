// Stands in for zod's error messages in fifty languages (wrangler.toml): better-auth takes zod in whole, we speak for ourselves.
export {};
