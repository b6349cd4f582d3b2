/** A search looks at so many of the newest changes that are not in the index yet. */
export const TAIL_MAX = 200;

/** Rows that one run takes into the index, of each kind. */
export const INDEXED_MAX = 250;

/** Counting hits stops here. */
export const HITS_COUNTED_MAX = 100;
