import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'
import type { Reach } from './reach.ts'
import type { TestsEnded, Workshop } from './workshop.ts'

export interface Case extends Mutant {
  readonly file: string
  readonly line: number
  readonly was: string
}

/** `undecided`: the tests did not end in time unbroken either, so the machine was slow and nothing is known. */
export type Outcome = 'noticed' | 'compiler' | 'survived' | 'unreached' | 'equivalent' | 'undecided'

/** The time is over, or somebody ended it: what runs now says nothing. */
export class OutOfTime extends Error {}

type Tests = ReturnType<Reach['testsOf']>

/** Of the tests that reach a mutant so many run at once, by what they take unbroken, ms: few first, for most mutants are noticed at once. */
const portionsMs = [5_000, 25_000, 90_000]
/** Of a mutant that they did not notice, what else reaches it may be asked as well. */
const allMs = 3_600_000
const sum = (tests: Tests) => tests.reduce((all, { ms }) => all + ms, 0)

/** Says what tests make of a mutant, until the moment that `until` names. A failure that a slow machine could have made counts for nothing. */
export class Examiner {
  readonly #until: () => number
  readonly #portionsMs: readonly number[]
  readonly #sound = new Map<string, Promise<boolean>>()

  /** `isThorough`: with all tests that reach a mutant, however long they take. */
  constructor(until: () => number, isThorough: boolean) {
    this.#until = until
    this.#portionsMs = isThorough ? [...portionsMs, allMs] : portionsMs
  }

  async outcomeOf(shop: Workshop, mutant: Case, reach: Reach): Promise<Outcome> {
    // The compiler needs less time for one changed file than any test.
    const compiled = await whileBroken(shop, mutant, () => shop.compiles())
    if (Date.now() >= this.#until()) throw new OutOfTime()
    if (compiled !== 'passed') return compiled === 'failed' ? 'compiler' : 'undecided'
    let rest = reach.testsOf(mutant.file, mutant.within)
    if (rest.length === 0) return 'unreached'
    let outcome: Outcome = 'survived'
    for (const portionMs of this.#portionsMs) {
      let ms = 0
      const some = rest.filter((each, index) => {
        ms += each.ms
        return index === 0 || ms <= portionMs
      })
      const found = await this.#look(shop, mutant, some)
      if (found === 'noticed') return found
      if (found === 'undecided') outcome = found
      rest = rest.filter((each) => !some.includes(each))
    }
    return outcome
  }

  /** `noticed`: one of these fails with the mutant, twice, and does not fail without it. `undecided`: it fails without it too. */
  async #look(shop: Workshop, mutant: Case, tests: Tests): Promise<'noticed' | 'passed' | 'undecided'> {
    let left = tests
    let passes: 'passed' | 'undecided' = 'passed'
    while (left.length > 0) {
      const { verdict, failed } = await whileBroken(shop, mutant, () => this.#run(shop, left))
      if (verdict === 'passed') return passes
      const first = left.find(({ test }) => failed.includes(test))
      // It never ends, or does not even load: so it must be the mutant that is to blame.
      if (!first) return (await this.#endsWell(shop, left)) ? 'noticed' : 'undecided'
      const again = await whileBroken(shop, mutant, () => this.#run(shop, [first]))
      const isSlow = again.tookMs > 2 * first.ms + 2_000
      if (again.verdict !== 'passed') {
        if (await this.#isSound(shop, first, isSlow)) return 'noticed'
        passes = 'undecided'
      }
      left = left.filter((each) => each !== first)
    }
    return passes
  }

  /** With nothing broken these pass, in half of the time that they were given. */
  async #endsWell(shop: Workshop, tests: Tests): Promise<boolean> {
    const { verdict, tookMs, limitMs } = await this.#run(shop, tests)
    return verdict === 'passed' && tookMs < limitMs / 2
  }

  /** Whether a test passes with nothing broken: where it fails by itself it notices nothing. Asked anew when it may be the machine that is slow. */
  #isSound(shop: Workshop, test: Tests[number], anew: boolean): Promise<boolean> {
    const known = anew ? undefined : this.#sound.get(test.test)
    const asked = known ?? this.#run(shop, [test]).then(({ verdict }) => verdict === 'passed')
    this.#sound.set(test.test, asked)
    return asked
  }

  async #run(shop: Workshop, tests: Tests): Promise<TestsEnded & { readonly limitMs: number; readonly tookMs: number }> {
    const began = Date.now()
    if (began >= this.#until()) throw new OutOfTime()
    const limitMs = Math.min(60_000 + 5 * sum(tests), this.#until() - began)
    const files = tests.map(({ test }) => test)
    const found = await shop.test(files, { limitMs })
    if (Date.now() >= this.#until()) throw new OutOfTime()
    return { ...found, limitMs, tookMs: Date.now() - began }
  }
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
