/** The cookies that a browser sends (RFC 6265 §5.4), each with its value as it was sent. */
export function readCookies(headers: Headers): { name: string; value: string }[] {
  const pairs = headers.get('Cookie')?.split(';') ?? [];
  return pairs
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const end = pair.indexOf('=');
      return { name: pair.slice(0, end).trim(), value: pair.slice(end + 1).trim() };
    });
}
