import type { Random } from '../random.ts';
import type { Attempt } from './attempt.ts';
import type { Body } from './request.ts';
import { kindOf } from './routes.ts';
import { BODIES, ENCODED, jsonOf, Raw, TEXTS, VALUES } from './strange.ts';
import type { Caller, Org, World } from './world.ts';

/** One change of a request. It was drawn before, so that a request can be built again without one of its edits. */
export interface Edit {
  label: string;
  apply: (attempt: Attempt) => void;
}

/** An edit of its kind, or null where the request has nothing to change. */
type Draw = (attempt: Attempt, world: World, random: Random) => Edit | null;

const TYPES = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/form-data; boundary=x',
  'x',
  '',
];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'];
const HEADERS: [string, string][] = [
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
  ['Range', 'bytes=0-1'],
  ['Expect', 'x'],
  ['Sec-Fetch-Dest', 'empty'],
  ['Origin', 'https://evil.example'],
  ['CF-Connecting-IP', '::ffff:1.2.3.4%zz'],
  ['User-Agent', '\u00ff\u00fe'],
];
const GARBAGE = ['x', 'eyJhbGciOiJub25lIn0.e30.', 'a.b.c', '..', 'ofz_x', '%00', 'x'.repeat(5_000)];

type Path = (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || value instanceof Raw) return [at];
  const inside = Object.entries(value).flatMap(([name, member]) =>
    pathsOf(member, [...at, Array.isArray(value) ? Number(name) : name]),
  );
  return [at, ...inside];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
}

/** The value with another one at a path; `drop` takes it out. */
function replaced(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown, drop = false): unknown {
  if (key === undefined) return change(value);
  if (typeof value !== 'object' || value === null || value instanceof Raw) return value;
  if (Array.isArray(value)) {
    if (drop && rest.length === 0) return value.filter((_, index) => index !== key);
    return value.map((each, index) => (index === key ? replaced(each, rest, change, drop) : each));
  }
  const entries = Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
    if (name !== key) return [[name, member]];
    return drop && rest.length === 0 ? [] : [[name, replaced(member, rest, change, drop)]];
  });
  return Object.fromEntries(entries);
}

function onJson(label: string, change: (value: unknown) => unknown): Edit {
  return {
    label,
    apply: ({ draft }) => {
      if (draft.body.kind === 'json') draft.body = { kind: 'json', value: change(draft.body.value) };
    },
  };
}

function jsonValue({ draft }: Attempt): unknown {
  return draft.body.kind === 'json' ? draft.body.value : undefined;
}

export function short(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : jsonOf(value);
  return text.length > 80 ? `${text.slice(0, 60)}… (${text.length} characters)` : text;
}

const strangeMember: Draw = (attempt, _, random) => {
  const value = jsonValue(attempt);
  if (value === undefined) return null;
  const path = random.pick(pathsOf(value));
  const strange = random.chance(0.5) ? random.pick(TEXTS) : random.pick(VALUES);
  return onJson(`body /${path.join('/')} = ${short(strange)}`, (body) => replaced(body, path, () => strange));
};

const droppedMember: Draw = (attempt, _, random) => {
  const paths = pathsOf(jsonValue(attempt)).filter((path) => path.length > 0);
  if (jsonValue(attempt) === undefined || paths.length === 0) return null;
  const path = random.pick(paths);
  return onJson(`body without /${path.join('/')}`, (body) => replaced(body, path, (old) => old, true));
};

const otherType: Draw = (attempt, _, random) => {
  const value = jsonValue(attempt);
  if (value === undefined) return null;
  const path = random.pick(pathsOf(value));
  const old = at(value, path);
  const wrapped = random.pick<unknown>([
    [old],
    { value: old },
    typeof old === 'string' ? Number(old) || 7 : String(old),
  ]);
  return onJson(`body /${path.join('/')} = ${short(wrapped)}`, (body) => replaced(body, path, () => wrapped));
};

const extraMember: Draw = (attempt, _, random) => {
  const value = jsonValue(attempt);
  if (value === undefined) return null;
  const objects = pathsOf(value).filter((path) => {
    const inner = at(value, path);
    return typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  });
  if (objects.length === 0) return null;
  const path = random.pick(objects);
  const name = random.pick([
    'extra',
    '',
    '__proto__',
    'constructor',
    'id',
    'status',
    'org_id',
    'a/b~c',
    '\u0000',
    'x'.repeat(3_000),
  ]);
  const old = at(value, path) as Record<string, unknown>;
  const [first] = Object.keys(old);
  // As text: `__proto__` would set the prototype, and a member twice is none of JavaScript's.
  const isTwice = first !== undefined && random.chance(0.4);
  const added = isTwice ? first : name;
  const extra = jsonOf(random.chance(0.5) ? random.pick(VALUES) : random.pick(TEXTS));
  return onJson(
    `body /${path.join('/')} with ${short(added)} ${isTwice ? 'twice' : 'added'}: ${short(new Raw(extra))}`,
    (body) =>
      replaced(
        body,
        path,
        (inner) => new Raw(`{${JSON.stringify(added)}:${extra},${jsonOf(inner).slice(1)}`.replace(/,}$/, '}')),
      ),
  );
};

/** Swaps an id for one of the same kind of another organization, or for one that exists nowhere. */
const foreignMember: Draw = (attempt, { a, b }, random) => {
  const value = jsonValue(attempt);
  const ids = [...a.ids.values()].flat();
  const paths = pathsOf(value).filter((path) => ids.includes(String(at(value, path))));
  if (value === undefined || paths.length === 0) return null;
  const path = random.pick(paths);
  const id = otherId(a, b, String(at(value, path)), random);
  return onJson(`body /${path.join('/')} = ${id}`, (body) => replaced(body, path, () => id));
};

function otherId(a: Org, b: Org, id: string, random: Random): string {
  const kind = [...a.ids].find(([, ids]) => ids.includes(id))?.[0] ?? '';
  const theirs = b.ids.get(kind) ?? [];
  return theirs.length > 0 && random.chance(0.7) ? random.pick(theirs) : random.uuid();
}

const otherBody: Draw = ({ route }, _, random) => {
  if (route.method === 'GET') return null;
  const text = random.pick(BODIES);
  return {
    label: `body is ${short(new Raw(text))}`,
    apply: ({ draft }) => Object.assign(draft, { body: { kind: 'text', text } }),
  };
};

const brokenBytes: Draw = ({ draft: { body } }, _, random) => {
  if (body.kind === 'none') return null;
  const share = random.below(1000) / 1000;
  const [name, change] = random.pick<[string, (bytes: Buffer, at: number) => Buffer]>([
    ['cut off', (bytes, index) => bytes.subarray(0, index)],
    [
      'with a byte that is no UTF-8',
      (bytes, index) => Buffer.concat([bytes.subarray(0, index), Buffer.from([0xff]), bytes.subarray(index)]),
    ],
    [
      'with a lone surrogate',
      (bytes, index) => Buffer.concat([bytes.subarray(0, index), Buffer.from('eda080', 'hex'), bytes.subarray(index)]),
    ],
    ['with NUL', (bytes, index) => Buffer.concat([bytes.subarray(0, index), Buffer.from([0]), bytes.subarray(index)])],
    ['after a byte order mark', (bytes) => Buffer.concat([Buffer.from('efbbbf', 'hex'), bytes])],
    ['in UTF-16', (bytes) => Buffer.from(bytes.toString(), 'utf16le')],
  ]);
  const apply = ({ draft }: Attempt) => draft.bytes.push((bytes) => change(bytes, Math.floor(bytes.length * share)));
  return { label: `body ${name} at ${share}`, apply: (attempt) => void apply(attempt) };
};

const otherContentType: Draw = ({ draft: { body } }, _, random) => {
  if (body.kind === 'none') return null;
  const type = random.pick(TYPES);
  return {
    label: `Content-Type: ${type || '(none)'}`,
    apply: ({ draft }) => {
      delete draft.headers['Content-Type'];
      if (type) draft.headers['Content-Type'] = type;
    },
  };
};

const header: Draw = (_, __, random) => {
  const [name, value] = random.pick(HEADERS);
  return { label: `${name}: ${short(value)}`, apply: ({ draft }) => Object.assign(draft.headers, { [name]: value }) };
};

const strangeQuery: Draw = ({ draft: { query } }, _, random) => {
  const value = random.chance(0.5)
    ? encodeURIComponent(random.pick(TEXTS).toWellFormed().slice(0, 3_000))
    : random.pick(ENCODED);
  const names = query.map(([name]) => name);
  const name =
    names.length > 0 && random.chance(0.8)
      ? random.pick(names)
      : random.pick(['q', 'limit', 'page', 'cursor', 'x', '', '%', '__proto__']);
  const isRepeated = random.chance(0.2);
  return {
    label: `query ${name} = ${short(new Raw(value))}${isRepeated ? ', and the value before' : ''}`,
    apply: ({ draft }) => {
      const others = isRepeated ? draft.query : draft.query.filter(([each]) => each !== name);
      draft.query = [...others, [name, value]];
    },
  };
};

const droppedQuery: Draw = ({ draft: { query } }, _, random) => {
  if (query.length === 0) return null;
  const [name] = random.pick(query);
  return {
    label: `query without ${name}`,
    apply: ({ draft }) => {
      draft.query = draft.query.filter(([each]) => each !== name);
    },
  };
};

const foreignQuery: Draw = ({ draft: { query } }, { a, b }, random) => {
  const ids = [...a.ids.values()].flat();
  const found = query.filter(([, value]) => ids.includes(value));
  if (found.length === 0) return null;
  const [name, value] = random.pick(found);
  const id = otherId(a, b, value, random);
  return {
    label: `query ${name} = ${id}`,
    apply: ({ draft }) => {
      draft.query = draft.query.map(([each, old]) => [each, each === name ? id : old]);
    },
  };
};

function parametersOf({ route }: Attempt): number[] {
  return route.path
    .split('/')
    .slice(1)
    .flatMap((segment, index) => (segment.startsWith(':') ? [index] : []));
}

const foreignSegment: Draw = (attempt, { b, c }, random) => {
  const indexes = parametersOf(attempt);
  if (indexes.length === 0) return null;
  const index = random.pick(indexes);
  const { path } = attempt.route;
  const kind = kindOf(path, path.split('/')[index + 1] ?? '');
  // The operator may change every organization, and whoever has a link what it is for.
  const mayChange = path.startsWith('/api/operator/') || kind === 'invitation' || kind === 'reset';
  const all = (mayChange ? c : b).ids.get(kind) ?? [];
  const id = all.length > 0 && random.chance(0.75) ? random.pick(all) : random.uuid();
  return segmentEdit(index, encodeURIComponent(id));
};

const strangeSegment: Draw = (attempt, _, random) => {
  const indexes = parametersOf(attempt);
  if (indexes.length === 0) return null;
  const text = random.pick(TEXTS).toWellFormed().slice(0, 2_000);
  return segmentEdit(random.pick(indexes), random.chance(0.5) ? encodeURIComponent(text) : random.pick(ENCODED));
};

function segmentEdit(index: number, text: string): Edit {
  return {
    label: `path segment ${index} = ${short(new Raw(text))}`,
    apply: ({ draft }) => void draft.segments.splice(index, 1, text),
  };
}

const otherPath: Draw = (_, __, random) => {
  const [label, change] = random.pick<[string, (segments: string[]) => string[]]>([
    ['a slash at the end', (segments) => [...segments, '']],
    ['two slashes', (segments) => [segments[0] ?? '', '', ...segments.slice(1)]],
    ['upper case', (segments) => segments.map((segment) => segment.toUpperCase())],
    ['one segment more', (segments) => [...segments, 'more']],
    ['one segment less', (segments) => segments.slice(0, -1)],
    ['dots at the end', (segments) => [...segments, '..', segments.at(-1) ?? '']],
  ]);
  return {
    label: `path with ${label}`,
    apply: ({ draft }) => Object.assign(draft, { segments: change(draft.segments) }),
  };
};

const otherMethod: Draw = (_, __, random) => {
  const method = random.pick(METHODS);
  return { label: `method ${method}`, apply: ({ draft }) => Object.assign(draft, { method: method }) };
};

const otherCaller: Draw = ({ visitor }, { a, c, operator, stranger }, random) => {
  if (visitor) return null;
  const garbage = random.pick(GARBAGE);
  const bad = (label: string, headers: Record<string, string>): Caller => ({ ...stranger, label, headers });
  const caller = random.pick([
    stranger,
    bad('garbage as a token', { Authorization: `Bearer ${garbage}` }),
    bad('garbage as a key', { apikey: garbage, Authorization: 'Basic eDp5' }),
    bad('a token with another signature', { Authorization: `Bearer ${a.token.secret.slice(0, -6)}AAAAAA` }),
    bad('an API key as a token', { Authorization: `Bearer ${a.key.secret}` }),
    bad('two keys', { ...a.integration.headers, 'X-API-Key': c.integration.secret }),
    ...[a.narrow, a.key, a.integration, c.token, c.key, c.integration, operator],
  ]);
  return { label: `sent by ${caller.label}`, apply: (attempt) => Object.assign(attempt, { caller: caller }) };
};

const otherHost: Draw = ({ route }, { b }, random) => {
  if (route.space !== 'shop') return null;
  const host = random.pick([b.host, 'nobody.localhost', 'x'.repeat(60), 'xn--zqx.localhost']);
  return { label: `host ${host}`, apply: ({ draft }) => Object.assign(draft, { host }) };
};

const otherFormToken: Draw = ({ visitor, draft: { body } }, _, random) => {
  if (!visitor || (body.kind !== 'form' && body.kind !== 'multipart')) return null;
  const formToken = random.pick(['missing', 'wrong', 'foreign'] as const);
  return { label: `form token ${formToken}`, apply: (attempt) => Object.assign(attempt, { formToken: formToken }) };
};

type Fields = [name: string, value: string][];

function onFields(label: string, change: (fields: Fields) => Fields): Edit {
  return {
    label,
    apply: ({ draft }) => {
      const { body } = draft;
      if (body.kind === 'form' || body.kind === 'multipart') draft.body = { ...body, fields: change(body.fields) };
    },
  };
}

function fieldsOf(body: Body): Fields {
  return body.kind === 'form' || body.kind === 'multipart' ? body.fields : [];
}

const strangeField: Draw = ({ draft: { body } }, _, random) => {
  if (body.kind !== 'form' && body.kind !== 'multipart') return null;
  const names = fieldsOf(body).map(([name]) => name);
  const name =
    names.length > 0 && random.chance(0.9)
      ? random.pick(names)
      : random.pick(['extra', '', '__proto__', 'form_id', 'form_origin', 'form_resume']);
  const text = random.pick(TEXTS);
  if (random.chance(0.15)) return onFields(`field ${name} also ${short(text)}`, (fields) => [...fields, [name, text]]);
  return onFields(`field ${name} = ${short(text)}`, (fields) =>
    names.includes(name) ? fields.map(([each, old]) => [each, each === name ? text : old]) : [...fields, [name, text]],
  );
};

const droppedField: Draw = ({ draft: { body } }, _, random) => {
  const fields = fieldsOf(body);
  if (fields.length === 0) return null;
  const [name] = random.pick(fields);
  return onFields(`form without ${name}`, (all) => all.filter(([each]) => each !== name));
};

const foreignField: Draw = ({ draft: { body } }, { a, b }, random) => {
  const ids = [...a.ids.values()].flat();
  const found = fieldsOf(body).filter(([, value]) => ids.includes(value));
  if (found.length === 0) return null;
  const [name, value] = random.pick(found);
  const id = otherId(a, b, value, random);
  return onFields(`field ${name} = ${id}`, (fields) =>
    fields.map(([each, old]) => [each, each === name && old === value ? id : old]),
  );
};

const brokenFile: Draw = ({ draft: { body } }, _, random) => {
  if (body.kind !== 'multipart') return null;
  const file = random.pick(['', 'x', '%PDF-', '%PDF-1.7\n', '\u0000'.repeat(100), `%PDF-1.4\n${'x'.repeat(70_000)}`]);
  return {
    label: `file ${short(file)}`,
    apply: ({ draft }) => Object.assign(draft, { body: { ...draft.body, file } }),
  };
};

/** Each as often as it stands here. */
const DRAWS: readonly Draw[] = [
  ...[
    strangeMember,
    strangeMember,
    strangeMember,
    droppedMember,
    otherType,
    extraMember,
    foreignMember,
    otherBody,
    brokenBytes,
    otherContentType,
  ],
  ...[
    strangeQuery,
    strangeQuery,
    droppedQuery,
    foreignQuery,
    foreignSegment,
    foreignSegment,
    foreignSegment,
    foreignSegment,
    strangeSegment,
    otherPath,
    otherMethod,
  ],
  ...[
    otherCaller,
    otherCaller,
    otherHost,
    otherHost,
    otherFormToken,
    strangeField,
    strangeField,
    strangeField,
    droppedField,
    foreignField,
    brokenFile,
    header,
  ],
];

/** Draws an edit that the request has room for: a header fits every one. */
export function drawEdit(attempt: Attempt, world: World, random: Random): Edit {
  for (const draw of random.shuffled(DRAWS)) {
    const edit = draw(attempt, world, random);
    if (edit) return edit;
  }
  throw new Error(`${attempt.route.name} has no room for an edit`);
}
