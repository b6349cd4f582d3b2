import { DAY_MS } from '../platform/time';

/** The most signatures of a file, and the most of each of these: certificates, OCSP responses, CRLs. */
export const SIGNATURES_MAX = 10;
export const CERTIFICATES_MAX = 64;
/** The most bytes to which streams may inflate: all streams of a file together, and a single one. */
export const INFLATED_BYTES_MAX = 64 * 1024 * 1024;
export const STREAM_BYTES_MAX = 16 * 1024 * 1024;
/**
 * The most steps of one check. A step is a token or a byte that is read. This many steps take 3 to 4 s of CPU. A usual
 * prescription needs 1 % of them.
 */
export const STEPS_MAX = 20_000_000;
/** The longest time of one check, in ms. It is longer than the steps alone take, because other work takes time, too. */
export const MILLISECONDS_MAX = 15_000;
/** A trusted list still counts for this long after the time at which its next update was due. */
export const LIST_STALE_MS = 14 * DAY_MS;
/** A result may stay undecided for this long after its file is known to exist. */
export const UNDECIDED_MS_MAX = 30 * DAY_MS;
