import { readBounded } from './outbound';
import { callOut } from './outgoing';

const TIMEOUT_MS = 5_000;
const BYTES_MAX = 64 * 1024;
/** RFC 1035 §3.2.2; AAAA: RFC 3596 §2.1. */
const TYPES = { A: 1, CNAME: 5, TXT: 16, AAAA: 28 } as const;
const NO_SUCH_NAME = 3;

/**
 * What the public DNS has for a name, by DNS over HTTPS with JSON. A resolver of the whole internet, because a Worker has
 * none of its own.
 * @returns addresses, names without their last dot, texts without quotes; null when there is no answer
 */
export async function lookUp(resolver: string, name: string, type: keyof typeof TYPES): Promise<string[] | null> {
  try {
    const { answer } = await callOut(`${resolver}?name=${encodeURIComponent(name)}&type=${type}`, {
      headers: { Accept: 'application/dns-json' },
      timeoutMs: TIMEOUT_MS,
    });
    if (!answer) return null;
    const { bytes } = await readBounded(answer, BYTES_MAX);
    if (!answer.ok) return null;
    const { Status, Answer = [] } = JSON.parse(new TextDecoder().decode(bytes)) as {
      Status: number;
      Answer?: { type: number; data: string }[];
    };
    if (Status === NO_SUCH_NAME) return [];
    if (Status !== 0) return null;
    const found = Answer.filter((record) => record.type === TYPES[type]).map(({ data }) => data);
    return type === 'TXT' ? found.map(unquoted) : found.map((data) => data.toLowerCase().replace(/\.$/, ''));
  } catch {
    return null;
  }
}

/** A text comes as one or more strings in quotes, which belong together. */
function unquoted(data: string): string {
  return data.split('"').length > 1
    ? data
        .split('"')
        .filter((_, at) => at % 2 === 1)
        .join('')
    : data;
}

/** Whether two names lead to the same server: they share an address. */
export async function shareAddress(resolver: string, one: string, other: string): Promise<boolean> {
  const types = ['A', 'AAAA'] as const;
  const [ofOne, ofOther] = await Promise.all(
    [one, other].map((name) => Promise.all(types.map((type) => lookUp(resolver, name, type)))),
  );
  const known = new Set(ofOther?.flatMap((found) => found ?? []));
  return ofOne?.some((found) => found?.some((address) => known.has(address))) ?? false;
}
