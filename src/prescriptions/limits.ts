import { DAY_MS, MINUTE_MS } from '../platform/time';

/** How long an erased prescription keeps its marks, counted from its approval. Marks reveal a second redemption. */
export const MARKS_KEPT_MS = 100 * DAY_MS;
/** The longest time of one fetch of a file by its link: connecting and reading the whole file together. */
export const FETCH_TIMEOUT_MS = 15_000;
/** The age from which a file without a row counts as an orphan. No upload takes that long. */
export const ORPHAN_AGE_MS = DAY_MS;
/**
 * How long files stay in the trash. Orphans stay longer than the 30 days for which D1 can be restored. Files that were
 * given up must be deleted soon.
 */
export const TRASH_KEPT_MS = { orphan: 35 * DAY_MS, given_up: DAY_MS };
/** The most attempts to check the signatures of a file. After them, the file counts as one that cannot be checked. */
export const SIGNATURE_CHECKS_MAX = 2;
/**
 * The time within which a waiting check of signatures must be claimed. If a check waits longer, the Worker that checks
 * signatures does not run.
 */
export const SIGNATURE_CHECKS_STUCK_MS = 10 * MINUTE_MS;
/** Up to this many files without a row are moved to the trash, whatever their share of all files is. */
export const UNEXPLAINED_MAX = 20;
/**
 * Up to this share of all files, files without a row are moved to the trash. If both limits are exceeded, rows are
 * probably missing.
 */
export const UNEXPLAINED_SHARE_MAX = 0.01;
