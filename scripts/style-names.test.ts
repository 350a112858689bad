import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = join(dirname(dirname(fileURLToPath(import.meta.url))), 'apps/console/src')
const comment = /\/\*[\s\S]*?\*\//g
const selectors = /[^{}]+(?=\{)/g

/** Styles come in files that several pages share: a name belongs to one area, or to what all of them draw with. */
test('no two areas style the same name', () => {
  const areasOf = new Map<string, Set<string>>()
  for (const file of globSync('**/*.css', { cwd: source })) {
    const [, area = 'shared'] = /^areas\/([^/]+)\//.exec(file) ?? []
    const lists = readFileSync(join(source, file), 'utf8').replace(comment, '').match(selectors) ?? []
    for (const selector of lists.flatMap((list) => list.split(/,(?![^(]*\))/))) {
      // The class it begins with: what stands behind is within that.
      const name = /^\s*\.([\w-]+)/.exec(selector)?.[1]
      if (name) areasOf.set(name, (areasOf.get(name) ?? new Set()).add(area))
    }
  }
  const twice = [...areasOf].filter(([, areas]) => areas.size > 1 && !areas.has('shared'))
  expect(twice.map(([name, areas]) => `${name}: ${[...areas].join(', ')}`)).toEqual([])
  expect(areasOf.get('drawer')).toContain('shared')
})
