/**
 * Stands for what age-encryption imports for recipients that this service does not take: post-quantum, tags and
 * passphrases. Without it the bundle has 45 KiB gzip more (`alias` in wrangler.toml).
 */
export const MLKEM768P256 = null;
export const MLKEM768X25519 = null;
export const p256 = null;
export const scrypt = null;
