import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import setupPostgres from '../apps/server/src/store/test-postgres.ts'
import { equivalents } from './mutation/equivalent.ts'
import type { Mutant } from './mutation/mutants.ts'
import { mutantsOf } from './mutation/mutants.ts'
import type { Workshop } from './mutation/workshop.ts'
import { openWorkshop } from './mutation/workshop.ts'

// Breaks the code that protects people in small ways, one at a time, and counts how often a test notices.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
  },
})
const root = dirname(import.meta.dirname)
const testLimitMs = 300_000

/** Sources, and the tests that run against them: the near ones first, the whole stack for what these let pass. */
const areas = [
  { folder: 'packages/rules/src', near: ['packages/rules'], far: ['apps/server/src/areas', 'apps/server/src/ingest'] },
  {
    folder: 'apps/server/src/areas/control',
    near: ['apps/server/src/areas/control'],
    far: [
      'packages/testkit/src/control',
      'packages/testkit/src/operations',
      'packages/testkit/src/holds',
      'packages/testkit/src/reclosure',
    ],
  },
  {
    folder: 'apps/server/src/orders',
    near: ['apps/server/src/orders', 'apps/server/src/areas/control/execution', 'apps/server/src/areas/settings'],
    far: ['packages/testkit/src/control', 'packages/testkit/src/settings', 'packages/testkit/src/holds'],
  },
  {
    folder: 'apps/server/src/ingest',
    near: ['apps/server/src/ingest', 'apps/server/src/store/commit'],
    far: [
      'packages/testkit/src/ingest',
      'packages/testkit/src/backfill',
      'packages/testkit/src/bad-input',
      'packages/testkit/src/push',
    ],
  },
  { folder: 'apps/server/src/store', near: ['apps/server/src/store'], far: ['apps/server/src/areas'] },
] as const
type Area = (typeof areas)[number]

interface Case extends Mutant {
  readonly area: Area
  readonly file: string
  readonly line: number
  readonly was: string
}
type Outcome = 'noticed' | 'noticed far' | 'compiler' | 'survived' | 'equivalent' | 'left out'

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

function allCases(): Case[] {
  return areas.flatMap((area) =>
    readdirSync(join(root, area.folder), { recursive: true, encoding: 'utf8' })
      .map((name) => name.replaceAll('\\', '/'))
      .filter(isSource)
      .sort()
      .flatMap((name) => {
        const file = `${area.folder}/${name}`
        const source = readFileSync(join(root, file), 'utf8')
        return mutantsOf(source).map((mutant) => ({
          ...mutant,
          area,
          file,
          line: source.slice(0, mutant.start).split('\n').length,
          was: source.slice(mutant.start, mutant.end),
        }))
      }),
  )
}

/** `--only` is a folder, a file, or a file with a line. */
const isWanted = ({ file, line }: Case) =>
  /:\d+$/.test(values.only) ? `${file}:${line}` === values.only : file.startsWith(values.only)

function drawn(): readonly Case[] {
  const all = allCases().filter(isWanted)
  const next = random(Number(values.seed))
  return all
    .map((each) => ({ each, at: next() }))
    .sort((a, b) => a.at - b.at)
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

/** Twice: on a busy machine a test may fail by itself. */
async function fails(shop: Workshop, targets: readonly string[]): Promise<boolean> {
  for (const _ of ['first', 'again']) {
    if (Date.now() >= until) throw new OutOfTime()
    if ((await shop.test(targets, Math.min(testLimitMs, until - Date.now()))) === 'passed') return false
    if (Date.now() >= until) throw new OutOfTime()
  }
  return true
}

/** Whether tests pass with nothing broken: where they fail by themselves they notice nothing. */
async function areSound(shop: Workshop, targets: readonly string[]): Promise<boolean> {
  const known = sound.get(targets) ?? !(await fails(shop, targets))
  sound.set(targets, known)
  return known
}

async function whileBroken<T>(shop: Workshop, { file, start, end, becomes }: Case, look: () => T | Promise<T>): Promise<T> {
  const source = readFileSync(join(root, file), 'utf8')
  shop.write(file, source.slice(0, start) + becomes + source.slice(end))
  try {
    return await look()
  } finally {
    shop.write(file, source)
  }
}

async function outcomeOf(shop: Workshop, mutant: Case): Promise<Outcome> {
  const { near, far } = mutant.area
  if (!(await areSound(shop, near))) return 'left out'
  if (await whileBroken(shop, mutant, () => fails(shop, near))) return 'noticed'
  if (!(await areSound(shop, far))) return 'left out'
  if (await whileBroken(shop, mutant, () => fails(shop, far))) return 'noticed far'
  return (await whileBroken(shop, mutant, () => shop.compiles())) ? 'survived' : 'compiler'
}

let until = Date.now() + Number(values.minutes) * 60_000
const sound = new Map<readonly string[], boolean>()
const stop = await setupPostgres()
const shop = openWorkshop(root)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    until = 0
    shop.interrupt()
  })
// What was tried stays known, so that a run that was ended goes on where it was, until anything changes.
const book = join(root, `node_modules/.cache/linewarden-mutation/${values.seed}-${shop.state}.json`)
const known = new Map<string, Outcome>(read(book))
const outcomes: { readonly mutant: Case; readonly outcome: Outcome }[] = []
try {
  for (const mutant of drawn()) {
    const id = idOf(mutant)
    const outcome = isEquivalent(mutant) ? 'equivalent' : (known.get(id) ?? (await outcomeOf(shop, mutant)))
    outcomes.push({ mutant, outcome })
    console.log(
      `${outcome.padEnd(11)} ${mutant.file}:${mutant.line} ${mutant.operator}: ${plain(mutant.was)} -> ${plain(mutant.becomes)}`,
    )
    if (outcome !== 'left out') known.set(id, outcome)
    mkdirSync(dirname(book), { recursive: true })
    writeFileSync(book, JSON.stringify([...known], null, 1))
  }
} catch (error) {
  if (!(error instanceof OutOfTime)) throw error
  console.log('Ended before all that was drawn was tried.')
} finally {
  shop.remove()
  await stop()
}

for (const [targets, isSound] of sound) if (!isSound) console.log(`Left out: these fail as they are: ${targets.join(' ')}`)
const count = (...wanted: readonly Outcome[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length
const [noticed, counted] = [count('noticed', 'noticed far', 'compiler'), count('noticed', 'noticed far', 'compiler', 'survived')]
const share = counted === 0 ? 'none' : `${((100 * noticed) / counted).toFixed(1)} %`
console.log(
  `\nNoticed ${noticed} of ${counted} (${share}), ${count('equivalent')} equivalent, ${count('left out')} left out, seed ${values.seed}.`,
)

function read(path: string): [string, Outcome][] {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
