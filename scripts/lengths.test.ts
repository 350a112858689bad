import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { functionsOf, linesOf, wrongLengths } from './lengths.ts'
import { longFiles, longFunctions } from './too-long.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

const sources = ['packages', 'apps', 'scripts', 'tests', 'bench'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
    if (!entry.isFile() || !/(?<!\.d)\.tsx?$/.test(path) || /\/node_modules\//.test(path)) return []
    return [{ path, text: readFileSync(join(root, path), 'utf8') }]
  }),
)

test('no file has over 400 lines, but for those that had when this was written, and they do not grow', () => {
  expect(sources.length).toBeGreaterThan(1_000)
  const found = sources.map(({ path, text }) => [path, linesOf(text)] as const)
  expect(wrongLengths(found, 400, longFiles)).toEqual([])
})

test('no function has over 100 lines, but for those that had when this was written, and they do not grow', () => {
  const found = sources
    // Tests of one thing stand together in one function.
    .filter(({ path }) => !/\.(test|spec)\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      functionsOf(text, path.endsWith('x') ? 'tsx' : 'ts').map(({ name, lines }) => [`${path} ${name}`, lines] as const),
    )
  expect(found.length).toBeGreaterThan(5_000)
  expect(wrongLengths(found, 100, longFunctions)).toEqual([])
})

test('what is too long is found by its name, what grew too, and what has shrunk leaves the list', () => {
  const found = [
    ['short', 3],
    ['new', 11],
    ['known', 20],
    ['grown', 31],
    ['shrunk', 9],
  ] as const
  expect(wrongLengths(found, 10, { known: 20, grown: 30, shrunk: 15, gone: 40 })).toEqual([
    'new: 11 lines',
    'grown: 31 lines',
    'shrunk: no longer too long, take it off',
    'gone: no longer too long, take it off',
  ])
})

test('a function has the name of what it is given to', () => {
  const source = `export const page = memo(() => {\n  return <p />\n})\nclass Desk {\n  open(): void {}\n}\nfunction plain() {}\n`
  expect(functionsOf(source, 'tsx')).toEqual([
    { name: 'page', lines: 3 },
    { name: 'open', lines: 1 },
    { name: 'plain', lines: 1 },
  ])
})
