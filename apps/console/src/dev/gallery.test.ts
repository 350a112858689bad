import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const parts = (folder: string): string[] =>
  readdirSync(join(import.meta.dirname, folder))
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(join(import.meta.dirname, folder, name), 'utf8'))

const drawnIn = (text: string): string[] => [...text.matchAll(/<([A-Z]\w*)/g)].map(([, name = '']) => name)

/** Every primitive by its name, with the file it is in. */
const primitives = new Map(
  parts('../ui').flatMap((text) =>
    [...text.matchAll(/^export (?:function|const) ([A-Z]\w*)/gm)].map(([, name = '']) => [name, text] as const),
  ),
)

test('every primitive stands in the gallery, by itself or as part of another', () => {
  const drawn = new Set(parts('.').flatMap(drawnIn))
  for (const name of drawn) for (const each of drawnIn(primitives.get(name) ?? '')) drawn.add(each)
  expect(primitives.size).toBeGreaterThan(30)
  expect([...primitives.keys()].filter((name) => !drawn.has(name))).toEqual([])
})
