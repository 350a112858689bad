import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { functionsOf, linesOf, tooLong } from './lengths.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const sources = ['packages', 'apps', 'scripts', 'tests', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
    if (!entry.isFile() || !/(?<!\.d)\.tsx?$/.test(path) || /\/node_modules\//.test(path)) return []
    return [{ path, text: readFileSync(join(root, path), 'utf8') }]
  }),
)

test('no file has over 400 lines', () => {
  expect(sources.length).toBeGreaterThan(1_000)
  const found = sources.map(({ path, text }) => [path, linesOf(text)] as const)
  expect(tooLong(found, 400)).toEqual([])
})

test('no function has over 100 lines', () => {
  const found = sources
    // Tests of one thing stand together in one function.
    .filter(({ path }) => !/\.(test|spec)\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      functionsOf(text, path.endsWith('x') ? 'tsx' : 'ts').map(({ name, lines }) => [`${path} ${name}`, lines] as const),
    )
  expect(found.length).toBeGreaterThan(5_000)
  expect(tooLong(found, 100)).toEqual([])
})

test('what is too long is found by its name', () =>
  expect(
    tooLong(
      [
        ['short', 3],
        ['just', 10],
        ['long', 11],
      ],
      10,
    ),
  ).toEqual(['long: 11 lines']))

test('a function has the name of what it is given to', () => {
  const source = `export const page = memo(() => {\n  return <p />\n})\nclass Desk {\n  open(): void {}\n}\nfunction plain() {}\n`
  expect(functionsOf(source, 'tsx')).toEqual([
    { name: 'page', lines: 3 },
    { name: 'open', lines: 1 },
    { name: 'plain', lines: 1 },
  ])
})
