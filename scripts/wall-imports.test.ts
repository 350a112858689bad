import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const console = join(dirname(dirname(fileURLToPath(import.meta.url))), 'apps/console/src')
const specifiers = /\b(?:from|import)\s*\(?\s*'([^']+)'/g

/** Every package that a file leads to, at once or later, by the files it was reached through. */
function packagesOf(entries: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const open = [...entries]
  const seen = new Set<string>()
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path) || !/\.tsx?$/.test(path) || !existsSync(path)) continue
    seen.add(path)
    for (const [, given = ''] of readFileSync(path, 'utf8').matchAll(specifiers))
      if (given.startsWith('.')) open.push(join(dirname(path), given))
      else found.set(given, path)
  }
  return found
}

const wall = [
  'areas/screen/links/wall-gate.tsx',
  'frame/wall.tsx',
  'areas/screen/overview-page.tsx',
  'areas/screen/plant-page.tsx',
  'areas/screen/detail-page.tsx',
].map((path) => join(console, path))

test('no page of a wall leads to a library of charts: it stands for months, and none of them gives back what it takes', () => {
  const packages = packagesOf(wall)
  expect(packages.has('react')).toBe(true)
  expect([...packages.keys()].filter((name) => /^(?:echarts|zrender|d3|elkjs)/.test(name))).toEqual([])
})

test('a page that draws with one is noticed', () => {
  const energy = packagesOf([join(console, 'areas/energy/energy-page.tsx')])
  expect([...energy.keys()].some((name) => name.startsWith('echarts'))).toBe(true)
})
