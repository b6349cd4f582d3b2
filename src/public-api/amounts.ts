const KIB = 1024;

/** `64 KiB`, `10 MiB`. */
export function sizeOf(bytes: number): string {
  return bytes >= KIB * KIB ? `${bytes / KIB / KIB} MiB` : `${bytes / KIB} KiB`;
}

/** `50,000`. */
export function inEnglish(count: number): string {
  return count.toLocaleString('en');
}
