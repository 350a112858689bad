import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { messages, specifiedMessages } from '@linewarden/contract'
import { describe, expect, test } from 'vitest'
import { frame } from '../apps/console/src/app/frame-texts.ts'
import { http } from '../apps/console/src/app/net/http-texts.ts'
import { app } from '../apps/console/src/app/texts.ts'
import { account } from '../apps/console/src/areas/account/texts.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const consoleFolder = 'apps/console/src'

function sources(folder: string): { path: string; text: string }[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true }).flatMap((entry) => {
    const path = relative(root, join(entry.parentPath, entry.name))
    const isSource = entry.isFile() && /\.tsx?$/.test(path) && !/\.test\.tsx?$|node_modules|\/dist\//.test(path)
    return isSource ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : []
  })
}

type Words = { readonly [key: string]: string | Words }
/** Named by address: what stands beside the texts in an area's manifest is made for a browser and not for this compiler. */
const testTexts = new URL('../apps/console/src/dev/test-texts.ts', import.meta.url).href
const { areaTexts } = (await import(testTexts)) as { areaTexts: () => Promise<typeof texts> }
const texts: Readonly<Record<string, { readonly zh: Words; readonly en: Words }>> = {
  account,
  http,
  ...(await areaTexts()),
  app: { zh: { ...app.zh, ...frame.zh }, en: { ...app.en, ...frame.en } },
}

/** Every key with its text, nested ones joined by dots. */
const flat = (words: Words, before = ''): [string, string][] =>
  Object.entries(words).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[before + key, value]] : flat(value, `${before}${key}.`),
  )

const pages = sources(consoleFolder).filter(({ path }) => !/[/-]texts\.ts$/.test(path))

const data = ['packages/contract/src', 'packages/equipment/src', 'packages/rules/src'].flatMap(sources)

/** Texts a file may name without their area: those of the first area it takes, and of any where it is handed `t`. */
function mayName(taken: readonly string[], area: string): boolean {
  return taken.length === 0 || taken.includes(area)
}

const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

/** What each page names: in quotes, as a field, or as a field that is called as its value. */
const named = pages.map(({ text }) => ({
  taken: [...text.matchAll(/useTranslation\(\s*(?:\[\s*)?(?:'(\w+)')?/g)].map(([, first]) => first ?? 'app'),
  names: new Set([/['"`]([\w.:-]+)(?=['"`])/g, /([\w.]+):/g, /\{ (\w+) \}/g].flatMap((pattern) => found(text, pattern))),
}))
/** The name of a text may come with the data: a quantity, a kind of account. */
const namedByData = new Set(data.flatMap(({ text }) => found(text, /['"]([\w.:-]+)(?=['"])/g)))

/** Beginnings of keys that are put together as they are asked for: `h${status}`. */
const puzzles = pages.flatMap(({ text }) =>
  [...text.matchAll(/\bt\(\s*`(?:(\w+):)?([\w.]*)\$\{/g)].map(([, area, head]) => ({ area, head: head ?? '' })),
)

/** Keys whose texts are fetched all at once. */
const wholes = pages.flatMap(({ text }) =>
  [...text.matchAll(/\bt\('([\w.:]+)', \{ returnObjects: true \}\)/g)].map(([, key = '']) => key),
)

function isUsed(area: string, key: string): boolean {
  if (wholes.some((whole) => key.startsWith(`${whole}.`))) return true
  const [stem = key] = key.split(/_(?:one|other|zero)$/)
  if (puzzles.some((each) => each.head !== '' && (each.area ?? area) === area && stem.startsWith(each.head))) return true
  if (namedByData.has(stem)) return true
  return named.some(({ taken, names }) => names.has(`${area}:${stem}`) || (mayName(taken, area) && names.has(stem)))
}

describe.each(Object.entries(texts))('texts of %s', (area, { zh, en }) => {
  test('are there in both languages, the same ones, none of them empty', () => {
    const english = flat(en).map(([key]) => key)
    // A singular is English alone.
    expect(english.filter((key) => !key.endsWith('_one'))).toEqual(flat(zh).map(([key]) => key))
    for (const [key, text] of [...flat(zh), ...flat(en)]) expect([key, text.trim()]).not.toEqual([key, ''])
  })

  test('speak of the same facts in both', () => {
    const facts = (text: string | undefined) => [...(text ?? '').matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).toSorted()
    const english = new Map(flat(en))
    for (const [key, text] of flat(zh)) expect([key, facts(english.get(key))]).toEqual([key, facts(text)])
  })

  test('are all shown somewhere', () => {
    const unused = flat(zh).flatMap(([key]) => (isUsed(area, key) ? [] : [key]))
    expect(unused.join(', ')).toBe('')
  })
})

test('no page asks for a text that is not there', () => {
  const known = new Set(Object.entries(texts).flatMap(([area, { zh }]) => flat(zh).map(([key]) => `${area}:${key}`)))
  const asked = pages.flatMap(({ path, text }) => {
    const [, first = 'app'] = /useTranslation\(\s*(?:\[\s*)?'(\w+)'/.exec(text) ?? []
    const several = new Set([...text.matchAll(/useTranslation\(\s*(?:\[\s*)?(?:'(\w+)')?/g)].map(([, area]) => area ?? 'app'))
    return [...text.matchAll(/\bt\(\s*'([\w.]+:)?([\w.]+)'/g)].flatMap(([, area, key]) => {
      // A file that takes several areas apart is the compiler's to check.
      if (!area && several.size !== 1) return []
      return [{ path, name: `${area ?? `${first}:`}${key}` }]
    })
  })
  const missing = asked.filter(({ name }) => !known.has(name) && !known.has(`${name}_one`))
  const isWhole = (name: string) => [...known].some((each) => each.startsWith(`${name}.`))
  expect(
    missing
      .filter(({ name }) => !isWhole(name))
      .map(({ path, name }) => `${path} ${name}`)
      .join(', '),
  ).toBe('')
})

/** Messages of the specification's section 8 stand whether or not something says them yet. */
const specified = Object.keys(specifiedMessages)

test('every refusal of our own is said somewhere', () => {
  const code = ['apps/server/src', 'packages/rules/src', 'packages/contract/src', 'packages/equipment/src', consoleFolder]
    .flatMap(sources)
    .filter(({ path }) => !/^packages\/contract\/src\/(areas\/\w+\/names|core\/\w+-(refusals|messages))\.ts$/.test(path))
    .map(({ text }) => text)
    .join('\n')
  const isQuoted = (key: string) => [`'${key}'`, `"${key}"`, `\`${key}\``].some((quoted) => code.includes(quoted))
  expect(Object.keys(messages).filter((key) => !specified.includes(key) && !isQuoted(key))).toEqual([])
})

test('every refusal that is said has its text in both languages', () => {
  const keys = ['apps/server/src', 'packages/rules/src', 'packages/contract/src']
    .flatMap(sources)
    .flatMap(({ text }) => [...text.matchAll(/new Refusal\(\s*(?:'([^']*)'|"([^"]*)")/g)].map(([, one, two]) => one ?? two ?? ''))
  expect(keys.length).toBeGreaterThan(50)
  expect(keys.filter((key) => !Object.hasOwn(messages, key))).toEqual([])
})
