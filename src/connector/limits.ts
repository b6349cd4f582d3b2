import { BODY_BYTES_MAX, STRUCTURE_MAX } from '../platform/limits';

/** Of what platforms send. */
export const BODY_LIMITS = { bytesMax: BODY_BYTES_MAX.connector, structureMax: STRUCTURE_MAX.connector };
