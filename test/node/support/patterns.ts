import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkSync } from 'recheck';
import { parseAst } from 'vitest/node';
import { z } from 'zod';

// In JavaScript, in this process; the others are a program for each platform and one for Java.
process.env.RECHECK_SYNC_BACKEND = 'pure';
const CHECK_MS_MAX = 120_000;
/** What is tried begins at random: some slow patterns are found with one seed and not with another. */
const SEEDS = [0, 1, 2];

const ROOT = resolve(import.meta.dirname, '../../..');
/** The only module that makes patterns of text, and its function. */
const COMPOSER = 'src/platform/fold.ts';
const COMPOSE = 'composedPattern';

export interface Found {
  pattern: RegExp;
  /** File and line. */
  place: string;
}

/** The patterns of a file. */
export interface Reading {
  /** Literals, and those of zod's formats. */
  written: Found[];
  /** Places that make a pattern of text while their module loads, by `composedPattern`. */
  composed: string[];
  /** Places that make a pattern of text in any other way. */
  hidden: string[];
}

/** The used part of an ESTree node. */
interface Node {
  type: string;
  start: number;
  [property: string]: unknown;
}

/** Reads every file of src. */
export function readSource(): Reading {
  const paths = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(tsx?|js)$/.test(path))
    .map((path) => `src/${path}`);
  const readings = paths.map((path) => readPatterns(path, readFileSync(join(ROOT, path), 'utf8')));
  return {
    written: readings.flatMap(({ written }) => written),
    composed: readings.flatMap(({ composed }) => composed),
    hidden: readings.flatMap(({ hidden }) => hidden),
  };
}

/** What the modules that compose patterns have made: they are loaded for it. */
export async function loadComposed({ composed }: Reading): Promise<Found[]> {
  const paths = [...new Set(composed.map((place) => place.replace(/:\d+$/, '')))];
  for (const path of paths) await import(join(ROOT, path));
  const { composedPatterns }: { composedPatterns: RegExp[] } = await import(join(ROOT, COMPOSER));
  return composedPatterns.map((pattern) => ({ pattern, place: paths.join(' or ') }));
}

/**
 * How the time that a pattern takes grows with its input, and how that is known: by its automaton, or, where that would be
 * too large or the pattern looks ahead or behind, by trying (`fuzz`).
 */
export function growthOf({ source, flags }: RegExp): { isLinear: boolean; growth: string } {
  for (const randomSeed of SEEDS) {
    const said = checkSync(source, flags, { timeout: CHECK_MS_MAX, randomSeed });
    if (said.status === 'vulnerable') return { isLinear: false, growth: said.complexity.summary };
    if (said.status === 'unknown') return { isLinear: false, growth: 'unknown' };
    if (said.checker === 'automaton') return { isLinear: true, growth: 'linear, by automaton' };
  }
  return { isLinear: true, growth: 'linear, by fuzz' };
}

/** @param path its ending is the language: ts, tsx or js */
export function readPatterns(path: string, code: string): Reading {
  const reading: Reading = { written: [], composed: [], hidden: [] };
  const visit = (node: Node, isLater: boolean): void => {
    const place = `${path}:${code.slice(0, node.start).split('\n').length}`;
    for (const pattern of patternsAt(node)) reading.written.push({ pattern, place });
    if (path !== COMPOSER && isHidden(node)) reading.hidden.push(place);
    if (node.type === 'CallExpression' && nameOf(node.callee) === COMPOSE) {
      (isLater ? reading.hidden : reading.composed).push(place);
    }
    for (const child of Object.values(node).flat()) {
      if (isNode(child) && !isType(child)) visit(child, isLater || /Function|PropertyDefinition/.test(node.type));
    }
  };
  visit(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node, false);
  return reading;
}

function patternsAt(node: Node): RegExp[] {
  if (node.type === 'Literal' && node.regex) {
    const { pattern, flags } = node.regex as { pattern: string; flags: string };
    return [new RegExp(pattern, flags)];
  }
  const [room, name] = nameWithinZod(node.type === 'CallExpression' ? node.callee : node);
  if (name === undefined || !(name in z.regexes || name in z.iso)) return [];
  if (room === 'regexes') return [z.regexes[name as 'email']];
  if (node.type !== 'CallExpression') return [];
  const make = (room === 'iso' ? z.iso[name as 'datetime'] : z[name as 'email']) as (options?: object) => z.ZodType;
  const schemas = room === 'iso' ? [make(), make({ offset: true, local: true })] : [make()];
  return schemas.flatMap((schema) => (schema instanceof z.ZodStringFormat ? (schema._zod.def.pattern ?? []) : []));
}

/** `z.email`, `z.iso.date` and `z.regexes.email` as the room between, if any, and the name. */
function nameWithinZod(value: unknown): [string?, string?] {
  if (!isNode(value) || value.type !== 'MemberExpression') return [];
  const name = nameOf(value.property);
  if (nameOf(value.object) === 'z') return ['', name];
  const [outer, room] = nameWithinZod(value.object);
  return outer === '' ? [room, name] : [];
}

/** `RegExp` in any use, `text.match('a+')`, and another name for `composedPattern`. */
function isHidden(node: Node): boolean {
  if (node.type === 'ImportSpecifier') return nameOf(node.imported) === COMPOSE && nameOf(node.local) !== COMPOSE;
  if (node.type !== 'CallExpression') return node.type === 'Identifier' && node.name === 'RegExp';
  const { callee, arguments: given } = node as unknown as { callee: Node; arguments: Node[] };
  if (!['match', 'matchAll', 'search'].includes(nameOf(callee.property) ?? '')) return false;
  return given.some(
    ({ type, value }) => /^(TemplateLiteral|BinaryExpression)$/.test(type) || typeof value === 'string',
  );
}

function nameOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? (node.name as string) : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

/** Types evaluate nothing. */
function isType({ type }: Node): boolean {
  return type === 'TSInterfaceDeclaration' || (type.startsWith('TSType') && type !== 'TSTypeAssertion');
}
