// Replaces zod's error messages in fifty languages (wrangler.toml): better-auth imports all of zod, and this service
// has its own messages.
export {};
