/** Groups of 16 bits in an IPv6 address. */
const GROUPS = 8;
/** Providers give each connection at least a /64, so all addresses in it are one caller (RFC 6177, RFC 7421). */
const CALLER_GROUPS = 4;
/** The network that a provider commonly gives one site: 65,536 networks of /64. */
const NETWORK_GROUPS = 3;

/**
 * The caller that a network address is counted as: an IPv4 address itself, or the /64 of an IPv6 address, since a
 * caller that has one address of a /64 can use all of them. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) counts
 * as that IPv4 address.
 * @returns for example `192.0.2.1` or `2001:db8:1:2::/64`; null if the text is not an address
 */
export function callerOf(address: string): string | null {
  const text = address.trim();
  if (ipv4Groups(text)) return text;
  const groups = ipv6Groups(text);
  if (!groups) return null;
  return mappedIpv4(groups) ?? prefixOf(groups, CALLER_GROUPS);
}

/**
 * The /48 around a caller. It is counted too, because one site may own all /64s in it.
 * @param caller as `callerOf` returns it
 * @returns for example `2001:db8:1::/48`; null for IPv4
 */
export function networkOf(caller: string): string | null {
  const groups = ipv6Groups(caller.split('/')[0] ?? '');
  return groups && prefixOf(groups, NETWORK_GROUPS);
}

function prefixOf(groups: readonly number[], length: number): string {
  const kept = groups.slice(0, length).map((group) => group.toString(16));
  return `${kept.join(':')}::/${length * 16}`;
}

/** RFC 4291 §2.5.5.2. */
function mappedIpv4(groups: readonly number[]): string | null {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (!isMapped) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/**
 * The eight groups of an IPv6 address in any of its spellings (RFC 4291 §2.2), without its zone; null if it is not an
 * address.
 */
function ipv6Groups(address: string): number[] | null {
  const [text = ''] = address.split('%');
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const [head, tail] = halves.map((half, index) => groupsOf(half, index === halves.length - 1));
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === GROUPS ? head : null;
  const zeros = GROUPS - head.length - tail.length;
  return zeros < 1 ? null : [...head, ...Array<number>(zeros).fill(0), ...tail];
}

/**
 * The groups between colons; the last group of the whole address may be an IPv4 address. Null if one is not a group.
 */
function groupsOf(half: string, isEnd: boolean): number[] | null {
  if (half === '') return [];
  const parts = half.split(':');
  const groups = parts.map((part, index) => {
    if (/^[0-9a-f]{1,4}$/i.test(part)) return [Number.parseInt(part, 16)];
    return isEnd && index === parts.length - 1 ? ipv4Groups(part) : null;
  });
  return groups.includes(null) ? null : (groups as number[][]).flat();
}

/** An IPv4 address as two groups; null if the text is not one. */
function ipv4Groups(text: string): [number, number] | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(text)) return null;
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return Math.max(a, b, c, d) > 255 ? null : [a * 256 + b, c * 256 + d];
}
