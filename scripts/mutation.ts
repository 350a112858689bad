import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import setupPostgres from '../apps/server/src/store/test-postgres.ts'
import { areas } from './mutation/areas.ts'
import { equivalents } from './mutation/equivalent.ts'
import type { Mutant } from './mutation/mutants.ts'
import { mutantsOf } from './mutation/mutants.ts'
import type { Reach } from './mutation/reach.ts'
import { learnReach } from './mutation/reach.ts'
import type { Workshop } from './mutation/workshop.ts'
import { openWorkshop } from './mutation/workshop.ts'

// Breaks the code that protects people in small ways, and counts how often a test notices.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
})
const root = dirname(import.meta.dirname)
const atOnce = 2
/** Of the tests that reach a mutant so many run at once, by what they take unbroken, ms: few first, for most mutants are noticed at once. */
const portionsMs = [5_000, 25_000, 90_000]

interface Case extends Mutant {
  readonly file: string
  readonly line: number
  readonly was: string
}
type Outcome = 'noticed' | 'compiler' | 'survived' | 'unreached' | 'equivalent'

/** The same numbers for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

const isSource = (name: string) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !/(^|\/)(test-|index\.ts$)/.test(name)

const casesOf = (folder: string, area: string): Case[] =>
  readdirSync(join(folder, area), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter(isSource)
    .sort()
    .flatMap((name) => {
      const file = `${area}/${name}`
      const source = readFileSync(join(folder, file), 'utf8')
      return mutantsOf(source).map((mutant) => ({
        ...mutant,
        file,
        line: source.slice(0, mutant.start).split('\n').length,
        was: source.slice(mutant.start, mutant.end),
      }))
    })

/** `--only` is a folder, a file, or a file with a line. */
const isWanted = ({ file, line }: Case) =>
  /:\d+$/.test(values.only) ? `${file}:${line}` === values.only : file.startsWith(values.only)

/** One area after the other gives one. */
function drawn({ folder }: Workshop): readonly Case[] {
  const next = random(Number(values.seed))
  const shuffled = areas.map((area) =>
    casesOf(folder, area)
      .filter(isWanted)
      .map((each) => ({ each, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ each }, turn) => ({ each, turn })),
  )
  return shuffled
    .flat()
    .sort((a, b) => a.turn - b.turn)
    .slice(0, Number(values.sample))
    .map(({ each }) => each)
}

const idOf = ({ file, operator, was, becomes, line }: Case) => [file, line, operator, plain(was), plain(becomes)].join(' | ')

const isEquivalent = ({ file, operator, was, becomes }: Case) =>
  equivalents.some(
    (each) => each.file === file && each.operator === operator && each.was === plain(was) && each.becomes === plain(becomes),
  )

/** The time is over, or somebody ended it: what runs now says nothing. */
class OutOfTime extends Error {}

async function run(shop: Workshop, tests: readonly { readonly test: string; readonly ms: number }[]) {
  if (Date.now() >= until) throw new OutOfTime()
  const usualMs = tests.reduce((sum, { ms }) => sum + ms, 0)
  const limitMs = Math.min(60_000 + 5 * usualMs, until - Date.now())
  const files = tests.map(({ test }) => test)
  const found = await shop.test(files, { limitMs })
  if (Date.now() >= until) throw new OutOfTime()
  return found
}

/** Whether a test passes with nothing broken: where it fails by itself it notices nothing. */
async function isSound(shop: Workshop, test: { readonly test: string; readonly ms: number }): Promise<boolean> {
  const known = sound.get(test.test) ?? run(shop, [test]).then(({ verdict }) => verdict === 'passed')
  sound.set(test.test, known)
  return known
}

async function whileBroken<T>(shop: Workshop, { file, start, end, becomes }: Case, look: () => Promise<T>): Promise<T> {
  const source = readFileSync(join(shop.folder, file), 'utf8')
  shop.write(file, source.slice(0, start) + becomes + source.slice(end))
  try {
    return await look()
  } finally {
    shop.write(file, source)
  }
}

/** Whether one of these fails with the mutant, twice, and does not fail without it. */
async function isNoticed(shop: Workshop, mutant: Case, tests: ReturnType<Reach['testsOf']>): Promise<boolean> {
  let left = tests
  while (left.length > 0) {
    const { verdict, failed } = await whileBroken(shop, mutant, () => run(shop, left))
    if (verdict === 'passed') return false
    // It never ends.
    if (verdict === 'timeout') return true
    const first = left.find(({ test }) => failed.includes(test))
    // It does not even load.
    if (!first) return true
    const again = await whileBroken(shop, mutant, () => run(shop, [first]))
    if (again.verdict !== 'passed' && (await isSound(shop, first))) return true
    left = left.filter((each) => each !== first)
  }
  return false
}

async function outcomeOf(shop: Workshop, mutant: Case, reach: Reach): Promise<Outcome> {
  let rest = reach.testsOf(mutant.file, mutant.within)
  if (rest.length === 0) return 'unreached'
  for (const portionMs of portionsMs) {
    let ms = 0
    const some = rest.filter((each, index) => {
      ms += each.ms
      return index === 0 || ms <= portionMs
    })
    if (await isNoticed(shop, mutant, some)) return 'noticed'
    rest = rest.filter((each) => !some.includes(each))
  }
  return (await whileBroken(shop, mutant, () => shop.compiles())) ? 'survived' : 'compiler'
}

const startedAt = Date.now()
let until = startedAt + Number(values.minutes) * 60_000
const sound = new Map<string, Promise<boolean>>()
const stop = await setupPostgres()
const shops = Array.from({ length: atOnce }, () => openWorkshop(root))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    until = 0
    for (const shop of shops) shop.interrupt()
  })
const cache = join(root, 'node_modules/.cache/linewarden-mutation')
// What was tried stays known, so that a run that was ended goes on where it was, until anything changes.
const book = join(cache, `${values.seed}-${shops[0]?.state}.json`)
const known = new Map<string, Outcome>(read(book))
const outcomes: { readonly mutant: Case; readonly outcome: Outcome }[] = []
try {
  const [first] = shops
  if (!first) throw new Error('there is no workshop')
  const reach = await learnReach(first, join(cache, 'reach.json'), (line) => {
    if (until === 0) throw new OutOfTime()
    console.error(line)
  })
  until += Date.now() - startedAt
  for (const test of reach.unsound) console.log(`Left out, for it fails as it is: ${test}`)
  const waiting = drawn(first).values()
  await Promise.all(shops.map((shop) => work(shop, waiting, reach)))
} catch (error) {
  if (!(error instanceof OutOfTime)) throw error
  console.log('Ended before all that was drawn was tried.')
} finally {
  for (const shop of shops) shop.remove()
  await stop()
}

async function work(shop: Workshop, waiting: Iterable<Case>, reach: Reach): Promise<void> {
  for (const mutant of waiting) {
    const id = idOf(mutant)
    const outcome = isEquivalent(mutant) ? 'equivalent' : (known.get(id) ?? (await outcomeOf(shop, mutant, reach)))
    outcomes.push({ mutant, outcome })
    console.log(
      `${outcome.padEnd(10)} ${mutant.file}:${mutant.line} ${mutant.operator}: ${plain(mutant.was)} -> ${plain(mutant.becomes)}`,
    )
    known.set(id, outcome)
    mkdirSync(dirname(book), { recursive: true })
    writeFileSync(book, JSON.stringify([...known], null, 1))
  }
}

const count = (...wanted: readonly Outcome[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length
const noticed = count('noticed', 'compiler')
const counted = outcomes.length - count('equivalent')
const share = counted === 0 ? 'none' : `${((100 * noticed) / counted).toFixed(1)} %`
console.log(`\nNoticed ${noticed} of ${counted} (${share}), ${count('equivalent')} equivalent, seed ${values.seed}.`)

function read(path: string): [string, Outcome][] {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
