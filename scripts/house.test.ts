import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Packages and apps, from the ground: each imports those before it. */
const wings = [
  'packages/equipment',
  'packages/rules',
  'packages/sparkplug',
  'packages/contract',
  'packages/client',
  'apps/simulator',
  'apps/server',
  'apps/console',
] as const

/** Inside a wing, from the ground: a file imports from its own floor and from those below. Rooms in one row do not know each other. */
const floors: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'apps/server': [
    ['lib'],
    ['config.ts'],
    ['plant', 'pdf', 'tables', 'tls'],
    ['store'],
    ['access'],
    ['audit', 'photos'],
    ['field', 'jobs'],
    ['http'],
    ['areas'],
    ['exposure.ts', 'secret-files.ts', 'server-areas.ts', 'built-areas.ts'],
    ['compose.ts'],
    ['run.ts'],
    ['main.ts'],
  ],
  'apps/console': [
    ['ui', 'paths.ts'],
    ['app'],
    ['plant'],
    ['app/shell'],
    ['areas'],
    ['frame'],
    ['dev'],
    ['routes.tsx'],
    ['main.tsx'],
  ],
  'packages/contract': [
    ['terms'],
    ['areas/*/{names,pages,reports}.ts'],
    ['core/names.ts', 'core/pages.ts', 'core/reports.ts'],
    ['subjects'],
    ['core'],
    ['areas'],
    ['catalogue.ts'],
    ['live.ts'],
    ['index.ts'],
  ],
}

/** One business area, one name, in every wing. */
const areas = [
  ...[
    'account',
    'people',
    'audit',
    'site',
    'monitor',
    'history',
    'control',
    'settings',
    'equipment',
    'alarm',
    'warning',
    'automation',
  ],
  ...['hazard', 'inspection', 'health', 'workorder', 'energy', 'report', 'firmware', 'push', 'screen', 'ingest'],
]

/** Where a folder is an area, and what else stands there. */
const areaFolders: Readonly<Record<string, readonly string[]>> = {
  'packages/contract/src/areas': [],
  'packages/rules/src': [],
  'apps/server/src/areas': [],
  'apps/server/src/store': ['core', 'plant', 'embedded', 'jobs', 'migrations', 'photos'],
  'apps/console/src/areas': ['line'],
  'tests/stack': ['field', 'http'],
  'tests/e2e': ['app', 'line', 'ui'],
}

interface Source {
  readonly path: string
  readonly text: string
  /** Files of the same wing, by their paths. */
  readonly imports: readonly string[]
}

const specifiers = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

const sources: readonly Source[] = wings.flatMap((wing) =>
  readdirSync(join(root, wing, 'src'), { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/')
    if (!entry.isFile() || !/\.tsx?$/.test(path) || /\.test\.tsx?$|\/test-[^/]*\.tsx?$/.test(path)) return []
    const text = readFileSync(join(root, path), 'utf8')
    const named = [...text.matchAll(specifiers)].flatMap(([, given = '']) => (given.startsWith('.') ? [given] : []))
    return [{ path, text, imports: named.map((given) => posix.join(posix.dirname(path), given)) }]
  }),
)

test('everything that is imported was found', () => {
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter(({ imports }) => imports.length > 0).length).toBeGreaterThan(400)
})

test('no files stand in a circle', () => {
  expect(circles(new Map(sources.map(({ path, imports }) => [path, imports])))).toEqual([])
})

test('a circle of three is found, and who only leads to it is not in it', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c']],
    ['c', ['a', 'd']],
    ['d', []],
    ['e', ['a']],
  ])
  expect(circles(graph)).toEqual([['a', 'b', 'c']])
})

test('packages import only those below them, and no app imports another', () => {
  const upwards = sources.flatMap(({ path, text }) => {
    const own = wings.findIndex((wing) => path.startsWith(`${wing}/`))
    return [...text.matchAll(/'@linewarden\/([a-z]+)[/']/g)].flatMap(([, name]) => {
      const other = wings.findIndex((wing) => wing.endsWith(`/${name}`))
      return other >= own || wings[other]?.startsWith('apps/') ? [`${path} > ${name}`] : []
    })
  })
  expect(upwards).toEqual([])
})

describe.each(Object.entries(floors))('%s', (wing, rows) => {
  const own = sources.filter(({ path }) => path.startsWith(`${wing}/src/`))
  const roomOf = (path: string) => {
    const inside = path.slice(`${wing}/src/`.length)
    const rooms = rows.flatMap((names, floor) => names.map((name) => ({ name, floor })))
    return rooms
      .filter(({ name }) => posix.matchesGlob(inside, name) || inside.startsWith(`${name}/`))
      .reduce(
        (best, each) => (best && best.name.length >= each.name.length ? best : each),
        undefined as { name: string; floor: number } | undefined,
      )
  }

  test('every file stands on a floor', () => {
    expect(own.flatMap(({ path }) => (roomOf(path) ? [] : [path]))).toEqual([])
  })

  test('no arrow runs upwards, nor from one room of a floor into another', () => {
    const wrong = own.flatMap(({ path, imports }) => {
      const from = roomOf(path)
      return imports.flatMap((target) => {
        const to = roomOf(target)
        if (!from || !to || to.name === from.name || to.floor < from.floor) return []
        return [`${path} > ${target}`]
      })
    })
    expect(wrong).toEqual([])
  })
})

test('an area of the console that takes from another is not taken from by it, not even by way of a third', () => {
  const areaOf = (path: string) => /^apps\/console\/src\/areas\/(\w+)\//.exec(path)?.[1]
  const takes = new Map<string, string[]>(areas.concat('line').map((area) => [area, []]))
  for (const { path, imports } of sources)
    for (const target of imports) {
      const [from, of] = [areaOf(path), areaOf(target)]
      if (from && of && from !== of) takes.get(from)?.push(of)
    }
  expect(takes.get('line')).toContain('control')
  expect(circles(takes)).toEqual([])
})

test.each(Object.entries(areaFolders))('folders of %s are areas by their names', (folder, others) => {
  const names = readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  expect(names.filter((name) => !areas.includes(name) && !others.includes(name))).toEqual([])
})

test('`npx vitest run <area>` finds tests of every area that is built', () => {
  const tests = ['packages', 'apps', 'tests/stack'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.test\.tsx?$/.test(path))
      .map((path) => `${folder}/${path.replaceAll('\\', '/')}`),
  )
  // One that is not built has its pages and permissions already, and nothing to test.
  const built = areas.filter((area) => sources.some(({ path }) => path.startsWith(`apps/server/src/areas/${area}/`)))
  expect(built).toContain('people')
  expect(built.filter((area) => !tests.some((path) => path.includes(`/${area}/`)))).toEqual([])
})

test('lib of the server knows nothing of the house', () => {
  const knowing = sources.filter(
    ({ path, text }) => path.startsWith('apps/server/src/lib/') && /^import (?!type).* from '@linewarden\//m.test(text),
  )
  expect(knowing.map(({ path }) => path)).toEqual([])
})

test('SQL stands in store and nowhere else', () => {
  const sql =
    /\bsql(?:<[^`]*>)?`|\.(?:selectFrom|insertInto|updateTable|deleteFrom)\(|\.query\(\s*[`']|^import (?!type).* from 'kysely'/m
  const found = sources.filter(({ path, text }) => !path.startsWith('apps/server/src/store/') && sql.test(text))
  expect(found.map(({ path }) => path)).toEqual([])
})

/** Files that import each other in a ring, however long, each ring once and in order of names. */
function circles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const reached = new Map<string, ReadonlySet<string>>()
  const from = (start: string) => {
    const seen = new Set<string>()
    const open = [...(graph.get(start) ?? [])]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      open.push(...(graph.get(next) ?? []))
    }
    return seen
  }
  for (const path of graph.keys()) reached.set(path, from(path))
  const rings = [...graph.keys()].filter((path) => reached.get(path)?.has(path))
  const reported = new Set<string>()
  return rings.sort().flatMap((path) => {
    if (reported.has(path)) return []
    const ring = rings.filter((other) => reached.get(path)?.has(other) && reached.get(other)?.has(path))
    for (const each of ring) reported.add(each)
    return [ring]
  })
}
