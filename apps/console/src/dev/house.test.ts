import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Every source of the console with what it imports of the others, also on demand. */
const imports = new Map(
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => {
      const named = readFileSync(join(root, path), 'utf8').matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^'?]+\.tsx?)'/g)
      return [path, [...named].map(([, to = '']) => relative(root, join(root, dirname(path), to)))] as const
    }),
)

/** What the files of a folder import from outside of it. Tests may look at anything. */
const outside = (folder: string): string[] =>
  [...imports].flatMap(([path, targets]) =>
    path.startsWith(`${folder}/`) && !/\.test\.tsx?$/.test(path)
      ? targets.filter((to) => !to.startsWith(`${folder}/`)).map((to) => `${path} > ${to}`)
      : [],
  )

test('no file leads back to itself', () => {
  const done = new Set<string>()
  const circles: string[] = []
  const follow = (path: string, way: readonly string[]): void => {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' > '))
    if (way.includes(path) || done.has(path)) return
    for (const to of imports.get(path) ?? []) follow(to, [...way, path])
    done.add(path)
  }
  for (const path of imports.keys()) follow(path, [])
  expect(imports.size).toBeGreaterThan(300)
  expect(circles).toEqual([])
})

test.each([
  ['ui', /> ui\//],
  ['app', /> (?:ui|plant|paths)[/.]/],
  ['plant', /> (?:ui|app|paths)[/.]/],
  ['areas', /> (?:ui|app|plant|paths)[/.]/],
])('%s takes only from the floors below it', (folder, below) => {
  expect(outside(folder).filter((each) => !below.test(each))).toEqual([])
})

test('of the app only the frame looks at the plant', () => {
  expect(outside('app').filter((each) => each.includes('> plant/') && !each.startsWith('app/shell/'))).toEqual([])
})

test('an area that takes from another is not taken from by it, not even by way of a third', () => {
  const areaOf = (path: string) => /^areas\/(\w+)\//.exec(path)?.[1]
  const takes = new Map<string, Set<string>>()
  for (const [path, targets] of imports)
    for (const to of targets) {
      const [from, of] = [areaOf(path), areaOf(to)]
      if (from && of && from !== of) takes.set(from, (takes.get(from) ?? new Set()).add(of))
    }
  for (const [area, first] of takes) {
    const all = new Set(first)
    for (const each of all) for (const further of takes.get(each) ?? []) all.add(further)
    expect([area, all.has(area)]).toEqual([area, false])
  }
})
