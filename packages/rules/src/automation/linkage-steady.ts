import type { LinkageCondition, LinkagePicture } from './linkage.ts'
import { combine, meets } from './linkage.ts'
import type { ConditionState, Firing, LinkageRule, LinkageState } from './linkage-fold.ts'
import { foldLinkage, metAt, staleAfterMs, staleAt, truthAt } from './linkage-fold.ts'

/** What every report is held against stands in one row of numbers: up to when everything is decided, and the first instant at which something changes. */
const [clockCell, untilCell, headCells] = [0, 1, 2]
/** Then of each condition the values between which nothing changes, the first not included, when it was reported last, and what. */
const [lowCell, highCell, lastCell, valueCell, cells] = [0, 1, 2, 3, 4]
/** Of every value something may come. */
const none = Number.POSITIVE_INFINITY

/**
 * A linkage with where it stands. Almost every report says what the one before said: between the values at which anything changes, and before the
 * instant at which something does, only when it came is new, and it is taken without folding. Whoever reports asks first (`isStill`, `isSame`), then
 * has it taken; everything else is folded. It stands and fires as `foldLinkage` over every report makes it.
 */
export class SteadyLinkage {
  #rule: LinkageRule
  #state: LinkageState
  /** Its row is of another state; it is to be made anew. */
  #isUnsettled = true
  /** What was taken is not in the state yet. */
  #isBehind = false
  readonly #row: Float64Array

  constructor(rule: LinkageRule, state: LinkageState) {
    this.#rule = rule
    this.#state = state
    this.#row = new Float64Array(headCells + rule.conditions.length * cells)
  }

  get rule(): LinkageRule {
    return this.#rule
  }

  /** The same conditions, of equipment that reports otherwise than it did. */
  set rule(rule: LinkageRule) {
    this.#catchUp()
    this.#rule = rule
    this.#isUnsettled = true
  }

  get state(): LinkageState {
    this.#catchUp()
    return this.#state
  }

  set state(state: LinkageState) {
    this.#state = state
    this.#isBehind = false
    this.#isUnsettled = true
  }

  get unknownSince(): number | null {
    return this.#state.unknownSince
  }

  /** Whether nothing changes until then by itself. */
  isStill(now: number): boolean {
    if (this.#isUnsettled) this.#settle()
    const row = this.#row
    if (now < row[clockCell]!) return false
    if (now < row[untilCell]!) return true
    if (row[untilCell] !== Number.NEGATIVE_INFINITY) row[untilCell] = this.#nextChange()
    return now < row[untilCell]!
  }

  /**
   * Whether a live value of one condition, NaN where it is missing, changes nothing but when it was reported; asked only of what is still until
   * `now`.
   */
  isSame(index: number, at: number, value: number, now: number): boolean {
    const row = this.#row
    const first = headCells + index * cells
    if (at > now || at <= row[first + lastCell]!) return false
    if (value > row[first + lowCell]! && value <= row[first + highCell]!) return true
    return Number.isNaN(value) && Number.isNaN(row[first + highCell]!)
  }

  /** Takes what changes nothing. */
  take(index: number, at: number, value: number): void {
    const first = headCells + index * cells
    this.#row[first + lastCell] = at
    this.#row[first + valueCell] = value
    this.#isBehind = true
  }

  /** Everything up to here is decided: it was still until then. */
  reach(now: number): void {
    this.#row[clockCell] = now
    this.#isBehind = true
  }

  /** Folds what may change something. */
  fold(pictures: readonly LinkagePicture[], now: number): readonly Firing[] {
    const { state, firings } = foldLinkage(this.#rule, this.state, pictures, now)
    this.state = state
    return firings
  }

  #catchUp(): void {
    if (!this.#isBehind) return
    this.#isBehind = false
    const row = this.#row
    const conditions = this.#state.conditions.map((each, index): ConditionState => {
      const first = headCells + index * cells
      const [at, value] = [row[first + lastCell]!, row[first + valueCell]!]
      if (at === (each.lastAt ?? Number.NEGATIVE_INFINITY)) return each
      return Number.isNaN(value) ? { ...each, lastAt: at } : { ...each, lastAt: at, goodAt: at, value }
    })
    this.#state = { ...this.#state, clock: row[clockCell]!, conditions }
  }

  /** Of a state that is not what its conditions make of it, as before the periods of its equipment changed, nothing is known beforehand. */
  #settle(): void {
    const { match, conditions } = this.#rule
    const { clock, conditions: states, known, knownBy, unknownSince } = this.#state
    const row = this.#row
    const truths = states.map((each, index) => truthAt(conditions[index]!, each, clock))
    const isSettled =
      (unknownSince !== null || knownBy == null) &&
      combine(match, truths) === (unknownSince === null ? known : 'unknown') &&
      states.every((each, index) => truths[index] === 'unknown' || truths[index] === each.known)
    states.forEach((each, index) => {
      const first = headCells + index * cells
      const [low, high] = bandOf(conditions[index]!, each, clock)
      row[first + lowCell] = low
      row[first + highCell] = high
      row[first + lastCell] = each.lastAt ?? Number.NEGATIVE_INFINITY
      row[first + valueCell] = each.value ?? Number.NaN
    })
    row[clockCell] = clock
    row[untilCell] = isSettled ? this.#nextChange() : Number.NEGATIVE_INFINITY
    this.#isUnsettled = false
  }

  #nextChange(): number {
    const row = this.#row
    const clock = row[clockCell]!
    let next = Number.POSITIVE_INFINITY
    this.#state.conditions.forEach((each, index) => {
      const condition = this.#rule.conditions[index]!
      const at = row[headCells + index * cells + lastCell]!
      const stale = at === each.lastAt ? staleAt(condition, each) : at + staleAfterMs(condition)
      for (const instant of [stale, metAt(condition, each)]) if (instant > clock && instant < next) next = instant
    })
    return next
  }
}

type Band = readonly [low: number, high: number]

/** The values above the first and up to the second change nothing of a condition; where the second is NaN, one that is missing changes nothing. */
function bandOf(condition: LinkageCondition, state: ConditionState, clock: number): Band {
  if (state.isOld) return [none, none]
  if (state.value === null) return [none, Number.NaN]
  return staleAt(condition, state) <= clock ? [none, none] : steadyBand(condition, state.met, state.value)
}

/** Around a value the values that meet a condition if it is met, or do not if it is not: above the first, up to the second. */
export function steadyBand(
  condition: Pick<LinkageCondition, 'op' | 'value' | 'release'>,
  isMet: boolean,
  value: number,
): readonly [low: number, high: number] {
  const { op, release } = condition
  const back = isMet ? release : 0
  const edge =
    op === '>' || op === '>=' ? condition.value - back : op === '<' || op === '<=' ? condition.value + back : condition.value
  const stays = (reading: number) => meets(condition, isMet, reading) === isMet
  const [isLow, isHigh] = [stays(Number.NEGATIVE_INFINITY), stays(Number.POSITIVE_INFINITY)]
  if (stays(edge)) return [isLow ? Number.NEGATIVE_INFINITY : below(edge), isHigh ? Number.POSITIVE_INFINITY : edge]
  return isHigh && (!isLow || value > edge) ? [edge, Number.POSITIVE_INFINITY] : [Number.NEGATIVE_INFINITY, below(edge)]
}

const float = new Float64Array(1)
const bits = new BigInt64Array(float.buffer)

/** The largest number below. */
function below(value: number): number {
  if (value === 0) return -Number.MIN_VALUE
  float[0] = value
  bits[0] = bits[0]! + (value > 0 ? -1n : 1n)
  return float[0]
}
