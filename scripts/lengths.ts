import { parseAst } from 'vitest/node'

interface Length {
  readonly name: string
  readonly lines: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Every function of a TypeScript source with its lines; one without a name has that of what it is given to. Classes are none. */
export function functionsOf(source: string, lang: 'ts' | 'tsx'): readonly Length[] {
  const found: Length[] = []
  walk(parseAst(source, { lang }) as unknown as Node, '')
  return found

  function walk(node: Node, around: string): void {
    const name = ownName(node) ?? around
    if (/^(Arrow)?Function(Declaration|Expression)$/.test(node.type))
      found.push({ name, lines: source.slice(node.start, node.end).split('\n').length })
    for (const part of Object.values(node))
      for (const each of Array.isArray(part) ? part : [part]) if (isNode(each)) walk(each, name)
  }
}

function ownName(node: Node): string | null {
  const { type, name } = ((node.id ?? node.key) as (Node & { readonly name?: string }) | null | undefined) ?? { type: '' }
  return /Identifier$/.test(type) ? (name ?? null) : null
}

export const linesOf = (source: string): number => source.trimEnd().split('\n').length

/** What is longer than allowed. */
export const tooLong = (found: readonly (readonly [name: string, lines: number])[], max: number): string[] =>
  found.flatMap(([name, lines]) => (lines > max ? [`${name}: ${lines} lines`] : []))
