import { parseAst } from 'vitest/node'

/** One small change to a source that a test should notice. */
export interface Mutant {
  readonly operator: string
  /** Where it stands in the source, in UTF-16 units. */
  readonly start: number
  readonly end: number
  readonly becomes: string
  /** The innermost function with a name that it stands in; empty: none. */
  readonly within: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

const relations: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
/** TypeScript's own nodes are types, but for these, which wrap a value. */
const wrappers: ReadonlySet<string> = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression'])
const oneCondition =
  /\s+and\s+(?:not\s+)?[a-z_.]+\s*(?:<>|<=|>=|=|<|>|is not|is|in)\s*(?:\$\d+(?:::[a-z[\]]+)?|'[^']*'|[a-z_.]+)/gi

/** How long something waits before it tries again no test sees that does not wait itself. */
const pauses: ReadonlySet<string> = new Set(['wait', 'setTimeout', 'setInterval'])

/** A limit that is one of hundreds higher is as good as the one it was; one that is ten times as high is not. */
const anotherNumber = (value: number): number => (value > 9 ? value * 10 : value + 1)

const isFunction = ({ type = '' }: Node): boolean => /^(Arrow)?Function/.test(type)

/** The name that the runtime gives the function which a node makes; null: it makes none, or one without a name. */
function functionNamed(node: Node): string | null {
  const makes = (node.type === 'FunctionDeclaration' ? node : (node.value ?? node.init)) as Node | null | undefined
  if (!makes || !isFunction(makes)) return null
  const { type, name } = ((node.id ?? node.key) as (Node & { readonly name?: string }) | null) ?? { type: '' }
  if (name === undefined || name === 'constructor') return null
  const own = type === 'PrivateIdentifier' ? `#${name}` : name
  return node.kind === 'get' || node.kind === 'set' ? `${node.kind} ${own}` : own
}

/** Every mutant of a TypeScript source. */
export function mutantsOf(source: string): readonly Mutant[] {
  const found: Mutant[] = []
  const text = ({ start, end }: Node) => source.slice(start, end)
  /** Numbers whose change shows nowhere. */
  const unseen = new Set<Node>()
  let within = ''
  let isPause = false
  const add = (operator: string, { start, end }: Node, becomes: string) => found.push({ operator, start, end, becomes, within })
  walk(parseAst(source, { lang: 'ts' }) as unknown as Node)
  return found

  function walk(node: Node): void {
    const around = { within, isPause }
    within = functionNamed(node) ?? within
    // What is done after the pause is none of it.
    isPause = isFunction(node) ? false : isPause || (node.type === 'CallExpression' && pauses.has(text(node.callee as Node)))
    walkInto(node)
    within = around.within
    isPause = around.isPause
  }

  function walkInto(node: Node): void {
    if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !wrappers.has(node.type))) return
    mutate(node)
    for (const [key, part] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters' || key === 'returnType') continue
      for (const each of Array.isArray(part) ? part : [part]) if (isNode(each)) walk(each)
    }
  }

  function mutate(node: Node): void {
    const part = (key: string) => node[key] as Node
    switch (node.type) {
      case 'BinaryExpression': {
        const other = relations[String(node.operator)]
        if (other) add('rel', node, `${text(part('left'))} ${other} ${text(part('right'))}`)
        return
      }
      case 'LogicalExpression': {
        if (node.operator === '??') return
        const [left, right] = [text(part('left')), text(part('right'))]
        add('logic', node, `((${left}) ${node.operator === '&&' ? '||' : '&&'} (${right}))`)
        add('drop-left', node, `(${right})`)
        add('drop-right', node, `(${left})`)
        return
      }
      case 'IfStatement':
        add('neg-if', part('test'), `!(${text(part('test'))})`)
        if (!node.alternate) add('del-if', node, ';')
        return
      case 'ConditionalExpression':
        add('cond-then', node, `(${text(part('consequent'))})`)
        add('cond-else', node, `(${text(part('alternate'))})`)
        return
      case 'UnaryExpression':
        if (node.operator === '!') add('drop-not', node, text(part('argument')))
        return
      case 'Literal':
        if (typeof node.value === 'boolean') add('bool', node, String(!node.value))
        else if (typeof node.value === 'number' && !isPause && !unseen.has(node))
          add('const', node, String(anotherNumber(node.value)))
        else if (typeof node.value === 'string') sql(node)
        return
      case 'TemplateLiteral':
        sql(node)
        return
      case 'ArrayExpression':
        dropElements(node)
        return
      case 'ExpressionStatement':
        if (part('expression').type === 'AwaitExpression') add('del-await', node, ';')
        return
      case 'CallExpression':
        call(node)
        return
      default:
    }
  }

  function call(node: Node): void {
    const callee = node.callee as Node
    if (/^Math\.(min|max)$/.test(text(callee))) add('min-max', callee, text(callee) === 'Math.min' ? 'Math.max' : 'Math.min')
    if (callee.type !== 'MemberExpression') return
    const name = text(callee.property as Node)
    if (name.startsWith('executeTakeFirst')) limitOfOne(callee.object as Node)
    if (name === 'where' || name === 'filter')
      add(name === 'where' ? 'sql-drop-where' : 'drop-filter', node, text(callee.object as Node))
  }

  /** Of what is taken as one row, a limit of two gives the same. */
  function limitOfOne(query: Node): void {
    const callee = query.callee as Node | undefined
    if (callee?.type !== 'MemberExpression') return
    if (text(callee.property as Node) === 'limit') for (const each of query.arguments as readonly Node[]) unseen.add(each)
    limitOfOne(callee.object as Node)
  }

  function dropElements(node: Node): void {
    const elements = (node.elements as readonly (Node | null)[]).filter((each) => each !== null)
    if (elements.length < 2) return
    for (const dropped of elements)
      add('drop-el', node, `[${elements.flatMap((each) => (each === dropped ? [] : [text(each)])).join(', ')}]`)
  }

  function sql(node: Node): void {
    const whole = text(node)
    if (!/\b(select|update|delete|insert)\b/i.test(whole)) return
    for (const match of whole.matchAll(oneCondition))
      add('sql-drop-cond', node, whole.slice(0, match.index) + whole.slice(match.index + match[0].length))
  }
}
