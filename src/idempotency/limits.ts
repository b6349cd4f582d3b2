/** How long a key is remembered. */
export const KEY_HOURS = 24;
