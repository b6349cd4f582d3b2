/**
 * Replaces modules that age-encryption imports for recipients that this service does not accept (post-quantum, tags)
 * and for runtimes whose WebCrypto has no X25519. `alias` in wrangler.toml selects it; it saves about 60 KiB gzip of
 * the bundle.
 */
export const MLKEM768P256 = null;
export const MLKEM768X25519 = null;
export const p256 = null;
/** The base point (RFC 7748 §4.1), which WebCrypto multiplies. */
export const x25519 = { GuBytes: new Uint8Array(32).with(0, 9) };
