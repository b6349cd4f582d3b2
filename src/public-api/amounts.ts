import { grouped } from '../platform/grouped';

const KIB = 1024;

/** `64 KiB`, `10 MiB`. */
export function sizeOf(bytes: number): string {
  return bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : `${bytes / KIB} KiB`;
}

/** `50,000`, without the formatter of the runtime, which takes ten milliseconds to load. */
export function inEnglish(count: number): string {
  return grouped(count, ',');
}
