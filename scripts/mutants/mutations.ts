import { parseAst } from 'vitest/node';

/** One small change to a source file that a test should notice. */
export interface Mutation {
  /** Counted from 1. */
  line: number;
  /** What is changed, for the report: `a > b → a >= b`. */
  change: string;
  /** Offsets of the code that `replacement` replaces. */
  start: number;
  end: number;
  replacement: string;
}

/** The used part of an ESTree node. */
interface Node {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

const OPERATORS = new Map([
  ['<', ['<=', '>=']],
  ['<=', ['<', '>']],
  ['>', ['>=', '<=']],
  ['>=', ['>', '<']],
  ['===', ['!==']],
  ['!==', ['===']],
  ['+', ['-']],
  ['-', ['+']],
  ['*', ['/']],
  ['/', ['*']],
  ['%', ['*']],
  ['**', ['*']],
  ['&&', ['||']],
  ['||', ['&&']],
  ['??', ['&&']],
  ['+=', ['-=']],
  ['-=', ['+=']],
  ['??=', ['=']],
]);
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['max', 'min'],
  ['min', 'max'],
  ['ceil', 'floor'],
  ['floor', 'ceil'],
  ['round', 'floor'],
]);
const LEAVES = new Set(['ReturnStatement', 'ThrowStatement', 'BreakStatement', 'ContinueStatement']);
/** The only kinds of TypeScript nodes that contain executable code. */
const TYPED_CODE = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression', 'TSParameterProperty']);
const CHANGE_LENGTH_MAX = 100;

/**
 * Every single change of an operator, a condition, a constant, an early return or a statement, in source order. Not
 * changed: texts of three or more words, which are for people, types, imports, property names, tagged templates, and `''` and
 * `0` as defaults, most of which stand for what cannot be missing.
 * @param code TypeScript without JSX
 */
export function mutationsOf(code: string): Mutation[] {
  const mutations: Mutation[] = [];
  const textOf = (node: Node) => code.slice(node.start, node.end);

  function add(node: Node, replacement: string, shown = replacement): void {
    const line = code.slice(0, node.start).split('\n').length;
    const change = `${oneLine(textOf(node))} → ${oneLine(shown)}`;
    mutations.push({ line, change, start: node.start, end: node.end, replacement });
  }

  function visit(node: Node, parent: Node, key: string): void {
    if (isWithoutCode(node)) return;
    switch (node.type) {
      case 'BinaryExpression':
      case 'LogicalExpression':
      case 'AssignmentExpression': {
        const [left, right] = [textOf(node.left as Node), textOf(node.right as Node)];
        for (const other of OPERATORS.get(node.operator as string) ?? []) {
          const isAssignment = node.type === 'AssignmentExpression';
          const shown = `${left} ${other} ${right}`;
          add(node, isAssignment ? shown : `((${left}) ${other} (${right}))`, shown);
        }
        break;
      }
      case 'UpdateExpression':
        add(
          node,
          textOf(node).replace(/\+\+|--/, (operator) => (operator === '++' ? '--' : '++')),
        );
        break;
      case 'UnaryExpression':
        if (node.operator === '!' || node.operator === '-') add(node, `(${textOf(node.argument as Node)})`);
        break;
      case 'ConditionalExpression':
      case 'IfStatement':
        add(node.test as Node, 'true');
        add(node.test as Node, 'false');
        break;
      case 'ForStatement':
      case 'WhileStatement':
        if (node.test) add(node.test as Node, 'false');
        break;
      case 'MemberExpression':
        if (node.optional) add(node, `(${textOf(node.object as Node)})${memberText(node, textOf)}`);
        break;
      case 'CallExpression': {
        const callee = node.callee as Node;
        if (callee.type === 'MemberExpression' && !callee.computed) {
          const property = callee.property as Node;
          const other = METHODS.get(textOf(property));
          if (other) add(property, other);
        }
        break;
      }
      case 'ArrayExpression':
        if ((node.elements as unknown[]).length > 0) add(node, '[]');
        break;
      case 'ExpressionStatement':
        if (!isSuperCall(node) && !node.directive) add(node, ';');
        break;
      case 'TemplateLiteral': {
        const texts = (node.quasis as (Node & { value: { raw: string } })[]).map(({ value }) => value.raw);
        if (parent.type !== 'TaggedTemplateExpression' && texts.join('') !== '' && !isProse(texts.join(' '))) {
          add(node, "''");
        }
        break;
      }
      case 'Literal':
        if (!isPropertyName(parent, key) && !isEmptyDefault(node, parent, key))
          for (const other of otherLiterals(node, textOf(node))) add(node, other);
        break;
    }
    if (LEAVES.has(node.type) && parent.type === 'BlockStatement' && !isOnlyOrLast(node, parent)) add(node, ';');
    visitChildren(node);
  }

  function visitChildren(node: Node): void {
    for (const [key, child] of Object.entries(node)) {
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) visit(each, node, key);
    }
  }

  visitChildren(parseAst(code, { lang: 'ts' }) as unknown as Node);
  return mutations.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The code with one change. @throws when the result is not valid TypeScript: the mutation itself is wrong then */
export function mutate(code: string, { start, end, replacement }: Mutation): string {
  const mutant = code.slice(0, start) + replacement + code.slice(end);
  parseAst(mutant, { lang: 'ts' });
  return mutant;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}

function isWithoutCode(node: Node): boolean {
  if (node.type === 'ImportDeclaration' || node.type === 'ExportAllDeclaration') return true;
  return node.type.startsWith('TS') && !TYPED_CODE.has(node.type);
}

function isPropertyName(parent: Node, key: string): boolean {
  return key === 'key' && !parent.computed;
}

function isEmptyDefault({ value }: Node, parent: Node, key: string): boolean {
  const isDefault = key === 'right' && (parent.type === 'AssignmentPattern' || parent.operator === '??');
  return isDefault && (value === '' || value === 0);
}

function isSuperCall({ expression }: Node): boolean {
  const { type, callee } = expression as Node;
  return type === 'CallExpression' && (callee as Node).type === 'Super';
}

/** Such a block is a branch, whose condition is mutated anyway; after the last statement nothing runs. */
function isOnlyOrLast(node: Node, block: Node): boolean {
  const statements = block.body as Node[];
  return statements.length === 1 || statements.at(-1) === node;
}

function memberText(node: Node, textOf: (node: Node) => string): string {
  const property = textOf(node.property as Node);
  return node.computed ? `[${property}]` : `.${property}`;
}

function otherLiterals({ value, regex }: Node, raw: string): string[] {
  if (regex) {
    const flags = (regex as { flags: string }).flags;
    return [`/(?!)/${flags}`, `/(?:)/${flags}`];
  }
  if (typeof value === 'number') return [String(value + 1)];
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value !== 'string' || isProse(raw)) return [];
  return [value === '' ? "'mutant'" : "''"];
}

function isProse(text: string): boolean {
  return text.trim().split(/\s+/).length >= 3;
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > CHANGE_LENGTH_MAX ? `${line.slice(0, CHANGE_LENGTH_MAX)}…` : line;
}
