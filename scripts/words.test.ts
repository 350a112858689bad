import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parseAst } from 'vitest/node'
import type { HomeMade } from './words.ts'
import { homeMade } from './words.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

test('no identifier brings back a word that the trade has another for', () => {
  const found = ['packages', 'apps', 'scripts', 'tests', 'bench'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
      if (!entry.isFile() || !/(?<!\.d)\.tsx?$/.test(path) || /\/node_modules\//.test(path)) return []
      const names = identifiersOf(readFileSync(join(root, path), 'utf8'), path.endsWith('x') ? 'tsx' : 'ts')
      return broughtBack(path, names)
    }),
  )
  expect(found).toEqual([])
})

test('a word that stays somewhere is still there', () => {
  const gone = homeMade.flatMap((each) =>
    (each.stays ?? []).filter((path) => {
      const names = identifiersOf(readFileSync(join(root, path), 'utf8'), path.endsWith('x') ? 'tsx' : 'ts')
      return !names.some((name) => has(name, each))
    }),
  )
  expect(gone).toEqual([])
})

test.each([
  ['createCourier', ['courier']],
  ['Courier', ['courier']],
  ['couriers', []],
  ['tripLatched', ['tripLatched']],
  ['latching', []],
])('%s', (name, words) => expect(homeMade.filter((each) => has(name, each)).map(({ word }) => word)).toEqual(words))

function broughtBack(path: string, names: readonly string[]): string[] {
  return homeMade
    .filter(({ stays }) => !stays?.includes(path))
    .flatMap((each) => names.filter((name) => has(name, each)).map((name) => `${path}: ${name}, say ${each.now}`))
}

function has(name: string, { word, whole }: HomeMade): boolean {
  return whole ? name === word : partsOf(name).has(word)
}

const parts = new Map<string, ReadonlySet<string>>()
/** The words of a name, split once for all that is looked for. */
function partsOf(name: string): ReadonlySet<string> {
  const known = parts.get(name) ?? new Set(name.split(/(?<=[a-z\d])(?=[A-Z])|_/).map((part) => part.toLowerCase()))
  parts.set(name, known)
  return known
}

function identifiersOf(source: string, lang: 'ts' | 'tsx'): readonly string[] {
  const names = new Set<string>()
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    if ('type' in node && 'name' in node && typeof node.name === 'string') names.add(node.name)
    for (const part of Object.values(node)) walk(part)
  }
  walk(parseAst(source, { lang }))
  return [...names]
}
