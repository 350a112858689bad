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
export const mutantsOf = (source: string): readonly Mutant[] => new MutantWalk(source).found

/** One way through the tree of a source. */
class MutantWalk {
  readonly found: Mutant[] = []
  readonly #source: string
  /** Numbers whose change shows nowhere. */
  readonly #unseen = new Set<Node>()
  #within = ''
  #isPause = false

  constructor(source: string) {
    this.#source = source
    this.#walk(parseAst(source, { lang: 'ts' }) as unknown as Node)
  }

  #text({ start, end }: Node): string {
    return this.#source.slice(start, end)
  }

  #add(operator: string, { start, end }: Node, becomes: string): void {
    this.found.push({ operator, start, end, becomes, within: this.#within })
  }

  #walk(node: Node): void {
    const around = { within: this.#within, isPause: this.#isPause }
    this.#within = functionNamed(node) ?? this.#within
    // What is done after the pause is none of it.
    this.#isPause = isFunction(node)
      ? false
      : this.#isPause || (node.type === 'CallExpression' && pauses.has(this.#text(node.callee as Node)))
    this.#walkInto(node)
    this.#within = around.within
    this.#isPause = around.isPause
  }

  #walkInto(node: Node): void {
    if (node.type === 'ImportDeclaration' || (node.type.startsWith('TS') && !wrappers.has(node.type))) return
    this.#mutate(node)
    for (const [key, part] of Object.entries(node)) {
      if (key === 'typeAnnotation' || key === 'typeArguments' || key === 'typeParameters' || key === 'returnType') continue
      for (const each of Array.isArray(part) ? part : [part]) if (isNode(each)) this.#walk(each)
    }
  }

  #mutate(node: Node): void {
    const part = (key: string) => node[key] as Node
    switch (node.type) {
      case 'BinaryExpression': {
        const other = relations[String(node.operator)]
        if (other) this.#add('rel', node, `${this.#text(part('left'))} ${other} ${this.#text(part('right'))}`)
        return
      }
      case 'LogicalExpression': {
        if (node.operator === '??') return
        const [left, right] = [this.#text(part('left')), this.#text(part('right'))]
        this.#add('logic', node, `((${left}) ${node.operator === '&&' ? '||' : '&&'} (${right}))`)
        this.#add('drop-left', node, `(${right})`)
        this.#add('drop-right', node, `(${left})`)
        return
      }
      case 'IfStatement':
        this.#add('neg-if', part('test'), `!(${this.#text(part('test'))})`)
        if (!node.alternate) this.#add('del-if', node, ';')
        return
      case 'ConditionalExpression':
        this.#add('cond-then', node, `(${this.#text(part('consequent'))})`)
        this.#add('cond-else', node, `(${this.#text(part('alternate'))})`)
        return
      case 'UnaryExpression':
        if (node.operator === '!') this.#add('drop-not', node, this.#text(part('argument')))
        return
      case 'Literal':
        if (typeof node.value === 'boolean') this.#add('bool', node, String(!node.value))
        else if (typeof node.value === 'number' && !this.#isPause && !this.#unseen.has(node))
          this.#add('const', node, String(anotherNumber(node.value)))
        else if (typeof node.value === 'string') this.#sql(node)
        return
      case 'TemplateLiteral':
        this.#sql(node)
        return
      case 'ArrayExpression':
        this.#dropElements(node)
        return
      case 'ExpressionStatement':
        if (part('expression').type === 'AwaitExpression') this.#add('del-await', node, ';')
        return
      case 'CallExpression':
        this.#call(node)
        return
      default:
    }
  }

  #call(node: Node): void {
    const callee = node.callee as Node
    if (/^Math\.(min|max)$/.test(this.#text(callee)))
      this.#add('min-max', callee, this.#text(callee) === 'Math.min' ? 'Math.max' : 'Math.min')
    if (callee.type !== 'MemberExpression') return
    const name = this.#text(callee.property as Node)
    if (name.startsWith('executeTakeFirst')) this.#limitOfOne(callee.object as Node)
    if (name === 'where' || name === 'filter')
      this.#add(name === 'where' ? 'sql-drop-where' : 'drop-filter', node, this.#text(callee.object as Node))
  }

  /** Of what is taken as one row, a limit of two gives the same. */
  #limitOfOne(query: Node): void {
    const callee = query.callee as Node | undefined
    if (callee?.type !== 'MemberExpression') return
    if (this.#text(callee.property as Node) === 'limit')
      for (const each of query.arguments as readonly Node[]) this.#unseen.add(each)
    this.#limitOfOne(callee.object as Node)
  }

  #dropElements(node: Node): void {
    const elements = (node.elements as readonly (Node | null)[]).filter((each) => each !== null)
    if (elements.length < 2) return
    for (const dropped of elements)
      this.#add('drop-el', node, `[${elements.flatMap((each) => (each === dropped ? [] : [this.#text(each)])).join(', ')}]`)
  }

  #sql(node: Node): void {
    const whole = this.#text(node)
    if (!/\b(select|update|delete|insert)\b/i.test(whole)) return
    for (const match of whole.matchAll(oneCondition))
      this.#add('sql-drop-cond', node, whole.slice(0, match.index) + whole.slice(match.index + match[0].length))
  }
}
