import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestPostgres } from '../apps/server/src/store/core/test-postgres.ts'
import { areas } from './mutation/areas.ts'
import { equivalents } from './mutation/equivalent.ts'
import { mutantsOf } from './mutation/mutants.ts'
import type { Reach } from './mutation/reach.ts'
import { learnReach } from './mutation/reach.ts'
import type { Case, Outcome } from './mutation/verdict.ts'
import { Examiner, OutOfTime } from './mutation/verdict.ts'
import type { Workshop } from './mutation/workshop.ts'
import { openWorkshop } from './mutation/workshop.ts'

// Breaks the code that protects people in small ways, and counts how often a test notices.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    sample: { type: 'string', default: '100' },
    minutes: { type: 'string', default: '30' },
    only: { type: 'string', default: '' },
    thorough: { type: 'boolean', default: false },
  },
})
const root = dirname(import.meta.dirname)
const atOnce = 2
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
    .map((name) => `${area}/${name}`)
    .filter((file) => !areas.some((other) => other !== area && other.startsWith(area) && file.startsWith(`${other}/`)))
    .flatMap((file) => {
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

const startedAt = Date.now()
let until = startedAt + Number(values.minutes) * 60_000
const examiner = new Examiner(() => until, values.thorough)
const servers = await Promise.all(Array.from({ length: atOnce }, () => startTestPostgres()))
const shops = servers.map(({ connection }) => openWorkshop(root, connection))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    until = 0
    for (const shop of shops) shop.interrupt()
  })
const cache = join(root, 'node_modules/.cache/linewarden-mutation')
// What was tried stays known, so that a run that was ended goes on where it was, until anything changes.
const book = join(cache, `${values.seed}-${shops[0]?.state}.json`)
const known = new Map<string, Outcome>(read(book).filter(([, outcome]) => !(values.thorough && outcome === 'survived')))
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
  await Promise.all(servers.map(({ stop }) => stop()))
}

async function work(shop: Workshop, waiting: Iterable<Case>, reach: Reach): Promise<void> {
  for (const mutant of waiting) {
    const id = idOf(mutant)
    const outcome = isEquivalent(mutant) ? 'equivalent' : (known.get(id) ?? (await examiner.outcomeOf(shop, mutant, reach)))
    outcomes.push({ mutant, outcome })
    console.log(
      `${outcome.padEnd(10)} ${mutant.file}:${mutant.line} ${mutant.operator}: ${plain(mutant.was)} -> ${plain(mutant.becomes)}`,
    )
    if (outcome === 'undecided') continue
    known.set(id, outcome)
    mkdirSync(dirname(book), { recursive: true })
    writeFileSync(book, JSON.stringify([...known], null, 1))
  }
}

const count = (...wanted: readonly Outcome[]) => outcomes.filter(({ outcome }) => wanted.includes(outcome)).length
const noticed = count('noticed', 'compiler')
const counted = outcomes.length - count('equivalent', 'undecided')
const share = counted === 0 ? 'none' : `${((100 * noticed) / counted).toFixed(1)} %`
console.log(
  `\nNoticed ${noticed} of ${counted} (${share}), ${count('equivalent')} equivalent, ${count('undecided')} undecided, seed ${values.seed}.`,
)

function read(path: string): [string, Outcome][] {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return []
  }
}
