import fc from 'fast-check';
import type { Attempt } from './attempt.ts';
import type { Draws } from './draws.ts';
import type { Pair, Sent } from './request.ts';
import { jsonOf, strangeBody, strangeEncoded, strangeText } from './strange.ts';
import type { Caller, World } from './world.ts';

/** Changes a request that is complete. @returns what was done, or null where the request has no room for it */
type Edit = (attempt: Attempt, draws: Draws, world: World) => string | null;

const TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  '',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const HEADERS: Pair[] = [
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'identity'],
  ['Accept', 'text/html'],
  ['Accept', 'x'.repeat(2_000)],
  ['Accept-Language', 'en'],
  ['Accept-Language', '"><zqx>'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Request-Id', '"><zqx>'],
  ['Cookie', 'offizin.session_token=x; __proto__=1; a; =b; offizin.language=%zz'],
  ['Cookie', `offizin.session_token=${'x'.repeat(3_000)}.%E0%A4%A`],
  ['If-None-Match', '*'],
  ['Idempotency-Key', 'zqx-1'],
  ['Idempotency-Key', ''],
  ['Idempotency-Key', '"><zqx>'],
  ['Idempotency-Key', 'x'.repeat(255)],
  ['Idempotency-Key', 'x'.repeat(256)],
  ['Idempotency-Key', 'x'.repeat(5_000)],
  ['Idempotency-Key', '\u00ff\u00fe'],
  ['Idempotency-Key', ' , "; drop'],
  ['If-Match', '*'],
  ['If-Match', '"1"'],
  ['If-Match', `W/"0", "${'9'.repeat(400)}", "zqx`],
  ['If-Match', '"'.repeat(2_000)],
  ['Range', 'bytes=0-1'],
  ['Expect', 'x'],
  ['Sec-Fetch-Dest', 'empty'],
  ['Origin', 'https://evil.example'],
  ['CF-Connecting-IP', '::ffff:1.2.3.4%zz'],
  ['User-Agent', '\u00ff\u00fe'],
];
const GARBAGE = ['x', 'eyJhbGciOiJub25lIn0.e30.', 'a.b.c', '..', 'ofz_x', '%00', 'x'.repeat(5_000)];
const FILES = ['', 'x', '%PDF-', '%PDF-1.7\n', '\u0000'.repeat(100), `%PDF-1.4\n${'x'.repeat(70_000)}`];
const QUERY_NAMES = ['q', 'limit', 'page', 'cursor', 'x', '', '%', '__proto__'];
const FIELD_NAMES = ['extra', '', '__proto__', 'form_id'];
/** Put into a body somewhere: a byte that is no UTF-8, a lone surrogate, NUL. */
const BYTES = ['ff', 'eda080', '00'];

// fast-check knows a choice again by the function that describes it.
const aText = () => strangeText;
const aBody = () => strangeBody;
const anEncoded = () => strangeEncoded;

export function short(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
}

/** Swaps an id for one of the same kind of another organization, or for one that exists nowhere. */
const foreignId: Edit = ({ draft, route }, draws, { a, b, c }) => {
  const said = `${draft.segments.join('/')} ${JSON.stringify([draft.query, draft.body])}`;
  const named = [...a.ids].flatMap(([kind, ids]) => ids.filter((id) => said.includes(id)).map((id) => ({ kind, id })));
  if (named.length === 0) return null;
  const { kind, id } = draws.pick(named);
  // The operator may change every organization, and whoever has a link what it is for.
  const mayChange = route.path.startsWith('/api/operator/') || kind === 'invitation' || kind === 'reset';
  const theirs = (mayChange ? c : b).ids.get(kind) ?? [];
  const other = theirs.length > 0 && draws.chance(0.75) ? draws.pick(theirs) : draws.uuid();
  draft.changes.push((sent) => {
    const body = sent.body.includes(id) ? Buffer.from(sent.body.toString().replaceAll(id, other)) : sent.body;
    return { ...sent, path: sent.path.replaceAll(id, other), body };
  });
  return `${other} instead of ${id}`;
};

const otherBody: Edit = ({ route, draft }, draws) => {
  if (route.method === 'GET') return null;
  const text = draws.one(aBody);
  draft.body = { kind: 'text', text };
  return `body is ${short(text)}`;
};

const brokenBytes: Edit = ({ draft }, draws) => {
  if (draft.body.kind === 'none') return null;
  const share = draws.below(1000) / 1000;
  const inserted = Buffer.from(draws.pick(BYTES), 'hex');
  const onBody = (change: (bytes: Buffer, at: number) => Buffer) => (sent: Sent) => {
    return { ...sent, body: change(sent.body, Math.floor(sent.body.length * share)) };
  };
  const [label, change] = draws.pick([
    ['cut off', onBody((bytes, at) => bytes.subarray(0, at))],
    [
      `with ${inserted.toString('hex')}`,
      onBody((bytes, at) => Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)])),
    ],
    ['after a byte order mark', onBody((bytes) => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes]))],
    ['in UTF-16', onBody((bytes) => Buffer.from(bytes.toString(), 'utf16le'))],
  ] as const);
  draft.changes.push(change);
  return `body ${label} at ${share}`;
};

const otherContentType: Edit = ({ draft }, draws) => {
  if (draft.body.kind === 'none') return null;
  const type = draws.pick(TYPES);
  delete draft.headers['Content-Type'];
  if (type) draft.headers['Content-Type'] = type;
  return `Content-Type: ${type || '(none)'}`;
};

const header: Edit = ({ draft }, draws) => {
  const [name, value] = draws.pick(HEADERS);
  draft.headers[name] = value;
  return `${name}: ${short(value)}`;
};

const strangeQuery: Edit = ({ draft }, draws) => {
  const names = draft.query.map(([name]) => name);
  const name = draws.pick(names.length > 0 && draws.chance(0.8) ? names : QUERY_NAMES);
  const value = draws.one(anEncoded);
  const isRepeated = draws.chance(0.2);
  draft.query = [...draft.query.filter(([each]) => isRepeated || each !== name), [name, value]];
  return `query ${name} = ${short(value)}${isRepeated ? ', and the value before' : ''}`;
};

const droppedQuery: Edit = ({ draft }, draws) => {
  if (draft.query.length === 0) return null;
  const [name] = draws.pick(draft.query);
  draft.query = draft.query.filter(([each]) => each !== name);
  return `query without ${name}`;
};

const strangeSegment: Edit = ({ draft, route }, draws) => {
  const segments = route.path.split('/').slice(1);
  const indexes = segments.flatMap((segment, index) => (segment.startsWith(':') ? [index] : []));
  if (indexes.length === 0) return null;
  const [index, text] = [draws.pick(indexes), draws.one(anEncoded)];
  draft.segments.splice(index, 1, text);
  return `path segment ${index} = ${short(text)}`;
};

const otherPath: Edit = ({ draft }, draws) => {
  const [label, change] = draws.pick<[string, (segments: string[]) => string[]]>([
    ['a slash at the end', (segments) => [...segments, '']],
    ['two slashes', (segments) => [segments[0] ?? '', '', ...segments.slice(1)]],
    ['upper case', (segments) => segments.map((segment) => segment.toUpperCase())],
    ['one segment more', (segments) => [...segments, 'more']],
    ['one segment less', (segments) => segments.slice(0, -1)],
    ['dots at the end', (segments) => [...segments, '..', segments.at(-1) ?? '']],
  ]);
  draft.segments = change(draft.segments);
  return `path with ${label}`;
};

const otherMethod: Edit = ({ draft }, draws) => {
  draft.method = draws.pick(METHODS);
  return `method ${draft.method}`;
};

const otherCaller: Edit = (attempt, draws, { a, c, operator, stranger }) => {
  if (attempt.visitor) return null;
  const garbage = draws.pick(GARBAGE);
  const bad = (label: string, headers: Record<string, string>): Caller => ({ ...stranger, label, headers });
  attempt.caller = draws.pick([
    stranger,
    bad('garbage as a token', { Authorization: `Bearer ${garbage}` }),
    bad('garbage as a key', { apikey: garbage, Authorization: 'Basic eDp5' }),
    bad('a token with another signature', { Authorization: `Bearer ${a.token.secret.slice(0, -6)}AAAAAA` }),
    bad('an API key as a token', { Authorization: `Bearer ${a.key.secret}` }),
    bad('two keys', { ...a.integration.headers, 'X-API-Key': c.integration.secret }),
    ...[a.narrow, a.key, a.integration, c.token, c.key, c.integration, operator],
  ]);
  return `sent by ${attempt.caller.label}`;
};

const otherHost: Edit = ({ draft, route }, draws, { b }) => {
  if (route.space !== 'shop') return null;
  draft.host = draws.pick([b.host, 'nobody.localhost', 'x'.repeat(60), 'xn--zqx.localhost']);
  return `host ${draft.host}`;
};

const otherFormToken: Edit = (attempt, draws) => {
  if (!attempt.visitor || !fieldsOf(attempt)) return null;
  attempt.formToken = draws.pick(['missing', 'wrong', 'foreign'] as const);
  return `form token ${attempt.formToken}`;
};

function fieldsOf({ draft: { body } }: Attempt): Pair[] | null {
  return body.kind === 'form' || body.kind === 'multipart' ? body.fields : null;
}

const strangeField: Edit = (attempt, draws) => {
  const fields = fieldsOf(attempt);
  if (!fields) return null;
  const names = fields.map(([name]) => name);
  const name = draws.pick(names.length > 0 && draws.chance(0.9) ? names : FIELD_NAMES);
  const text = draws.one(aText);
  const index = draws.chance(0.15) ? -1 : names.indexOf(name);
  fields.splice(index < 0 ? fields.length : index, 1, [name, text]);
  return `field ${name} ${index < 0 ? 'also' : '='} ${short(text)}`;
};

const droppedField: Edit = (attempt, draws) => {
  const fields = fieldsOf(attempt);
  if (!fields || fields.length === 0) return null;
  const index = draws.below(fields.length);
  return `form without ${fields.splice(index, 1)[0]?.[0]}`;
};

const brokenFile: Edit = ({ draft: { body } }, draws) => {
  if (body.kind !== 'multipart') return null;
  body.file = draws.pick(FILES);
  return `file ${short(body.file)}`;
};

/** Each as often as it stands here. */
const EDITS: readonly Edit[] = [
  ...[foreignId, foreignId, foreignId, foreignId, foreignId, foreignId],
  ...[
    strangeField,
    strangeField,
    strangeField,
    strangeQuery,
    strangeQuery,
    otherCaller,
    otherCaller,
    otherHost,
    otherHost,
  ],
  ...[otherBody, brokenBytes, otherContentType, droppedQuery, strangeSegment, otherPath, otherMethod],
  ...[otherFormToken, droppedField, brokenFile, header],
];
const inAnyOrder = () => fc.shuffledSubarray([...EDITS], { minLength: EDITS.length });

/** Makes one change that the request has room for: a header fits every one. @returns what was done */
export function edit(attempt: Attempt, draws: Draws, world: World): string {
  for (const each of draws.one(inAnyOrder)) {
    const done = each(attempt, draws, world);
    if (done !== null) return done;
  }
  throw new Error(`${attempt.route.name} has no room for an edit`);
}
