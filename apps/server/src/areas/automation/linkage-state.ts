import type { LinkageRule, LinkageState } from '@linewarden/rules/automation'
import {
  clocksApartMs,
  enabledLinkage,
  mergedLinkage,
  mergedRise,
  notAhead,
  resumedLinkage,
  SteadyLinkage,
  withoutReadings,
} from '@linewarden/rules/automation'
import type { Plant, PlantGateway, PlantLine } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { StoredCondition, StoredLinkage } from '../../store/automation/linkage.ts'
import type { KeptLinkage } from '../../store/automation/linkage-state.ts'
import { isState, putTogether } from '../../store/automation/linkage-state.ts'
import { LinkageFailures } from './linkage-failures.ts'
import { lineOf } from './linkage-lines.ts'
import { isByChange, keyOf, ruleCondition, slotOf } from './linkage-values.ts'

/** What a condition reads, found out once: every report of its line asks for it. */
export interface Read {
  readonly index: number
  readonly condition: StoredCondition
  readonly key: string
  readonly slot: number | null
}

/** What a linkage reads of one line. */
export interface LineReads {
  readonly own: LiveLinkage
  readonly line: PlantLine
  readonly id: string
  /** The first condition that reads it. */
  readonly first: number
  /** As its equipment reported when this was found out; by that it is decided what is sampled. */
  reportingPeriodMs: number
  sampled: readonly Read[]
  lasting: readonly Read[]
  /** Where lasting values are put that are being compared; NaN: not known. */
  readonly found: Float64Array
}

interface Going extends Pick<LiveLinkage, 'linkage' | 'lines' | 'isDirty' | 'isLearnt' | 'rises' | 'turn'> {
  readonly state: LinkageState
  /** As it was evaluated until now; null: it begins. */
  readonly before: LiveLinkage | null
}

/** A linkage that is evaluated here, with the clocks of its conditions. */
export class LiveLinkage {
  linkage: StoredLinkage
  /** Of each condition; null: it is not in the project any more, so that the condition is unknown. */
  readonly lines: readonly (PlantLine | null)[]
  readonly steady: SteadyLinkage
  /** What it reads, by line. */
  readonly reads: readonly LineReads[]
  /** How often it has come to be true, as far as this server knows. */
  rises: number
  /** It stands otherwise than at the last checkpoint. */
  isDirty: boolean
  /** What is known of it is otherwise: after a crash it would begin from something else, and what is true by then would not rise. */
  isLearnt: boolean
  /** By which it was written or read last; below 0: never. */
  turn: number
  /** What others have written since; null: nothing that is not known here. */
  elsewhere: LinkageState | null
  /** Rises of which it is not stored yet what came of them, in their order. */
  readonly unstored: Unstored[]
  /** The last five minutes in which each of these was noted. */
  readonly near: Map<string, number>
  /** Before this instant nothing of it is to be noted, as long as nothing is folded; Unix ms. */
  nearFrom = Number.NEGATIVE_INFINITY
  /** By condition when the value that was taken last came, as its line has it, 0: none yet; by a clock that is set back it would come again and again. */
  readonly taken: Float64Array
  /** By the first condition of a line when the last message came by which values that it left out were taken to stand; 0: none yet. */
  readonly stood: Float64Array
  /** All that its lines have reported before was looked at: what is sampled is taken when it comes. */
  wasLookedAt = false
  readonly failures = new LinkageFailures()

  constructor({ linkage, lines, state, isDirty, isLearnt, rises, turn, before }: Going) {
    this.linkage = linkage
    this.lines = lines
    this.steady = new SteadyLinkage(ruleOf(linkage, lines), state)
    this.rises = rises
    this.isDirty = isDirty
    this.isLearnt = isLearnt
    this.turn = turn
    this.elsewhere = before?.elsewhere ?? null
    this.unstored = before?.unstored ?? []
    this.near = new Map(before?.near)
    this.taken = before?.taken.slice() ?? new Float64Array(linkage.conditions.length)
    this.stood = before?.stood.slice() ?? new Float64Array(linkage.conditions.length)
    this.reads = [...new Set(lines)].flatMap((line) => (line ? readsOf(this, line) : []))
  }

  get rule(): LinkageRule {
    return this.steady.rule
  }

  get state(): LinkageState {
    return this.steady.state
  }

  set state(state: LinkageState) {
    this.steady.state = state
    this.nearFrom = Number.NEGATIVE_INFINITY
  }

  /** Equipment says at its birth how often it reports. */
  followPeriods(): void {
    if (this.reads.every(({ line, reportingPeriodMs }) => reportingPeriodOf(line.device) === reportingPeriodMs)) return
    this.steady.rule = ruleOf(this.linkage, this.lines)
    for (const reads of this.reads) Object.assign(reads, asReported(this, reads.line))
    this.nearFrom = Number.NEGATIVE_INFINITY
  }
}

function readsOf(own: LiveLinkage, line: PlantLine): LineReads {
  const found = new Float64Array(own.linkage.conditions.length)
  return { own, line, id: String(line.id), first: own.lines.indexOf(line), found, ...asReported(own, line) }
}

/** What is sampled of a line and what is as of now, as its equipment reports. */
function asReported({ linkage, lines }: LiveLinkage, line: PlantLine) {
  const all = linkage.conditions.flatMap((condition, index): Read[] =>
    lines[index] === line ? [{ index, condition, key: keyOf(condition), slot: slotOf(line, condition) }] : [],
  )
  const isLasting = ({ condition }: Read) => isByChange(line, condition)
  return {
    reportingPeriodMs: reportingPeriodOf(line.device),
    sampled: all.filter((read) => !isLasting(read)),
    lasting: all.filter(isLasting),
  }
}

/** A rise that is being stored, and how its linkage stood before it: a crash until then is to find it as something that is still to rise. */
export interface Unstored {
  readonly before: LinkageState
}

/** Long before anything: it was so when it was enabled. Infinity is no number that JSON can say. */
const always = -8_640_000_000_000_000

/**
 * `before`: as it was evaluated until now. Where only something else of it was changed, its conditions go on as they stand: what is about to come
 * true is not lost. Where a line is there no more the rest is evaluated all the same: a danger among it still trips.
 */
export function newLiveLinkage(
  plant: Plant,
  linkage: StoredLinkage,
  { kept, before }: { readonly kept: KeptLinkage | null; readonly before: LiveLinkage | null },
  now: number,
): LiveLinkage {
  const lines = conditionLines(plant, linkage)
  const known = kept && stateOf(linkage, kept)
  const isSame = known !== null
  const goesOn = before && hasSameConditions(before.linkage, linkage) ? before : null
  const stored = known ? resumedLinkage(known, now) : enabledLinkage(ruleOf(linkage, lines), now)
  return new LiveLinkage({
    ...{ linkage, lines, isDirty: !isSame, isLearnt: !isSame || (goesOn?.isLearnt ?? false), before: goesOn },
    state: withoutReadings(goesOn?.state ?? stored, (index) => lines[index] === null),
    rises: Math.max(kept?.rises ?? 0, goesOn?.rises ?? 0),
    // What goes on as it stands has not read what is stored by now.
    turn: (goesOn ?? kept)?.turn ?? -1,
  })
}

/** Whether each of its conditions reads the line that it did when it was made: lines are removed and moved, and come back. */
export const readsSameLines = (plant: Plant, { linkage, lines }: LiveLinkage): boolean =>
  linkage.conditions.every(({ lineId }, index) => lineOf(plant, linkage, lineId) === lines[index])

/**
 * Whether all that it reads is reported to this server. A line that is not known here may be another server's, unless the database has found that
 * it is gone.
 */
export const isAllHere = (
  { linkage, lines }: Pick<LiveLinkage, 'linkage' | 'lines'>,
  isKept: (gateway: PlantGateway) => boolean,
): boolean => lines.every((line) => (line ? isKept(line.device.gateway) : linkage.halted?.why === 'broken'))

const conditionLines = (plant: Plant, linkage: StoredLinkage): readonly (PlantLine | null)[] =>
  linkage.conditions.map(({ lineId }) => lineOf(plant, linkage, lineId))

/** As it is stored; null: of another version of it, or of this server. */
const stateOf = ({ version, conditions }: StoredLinkage, kept: KeptLinkage): LinkageState | null =>
  kept.version === version && isState(kept.state) && kept.state.conditions.length === conditions.length ? kept.state : null

export const hasSameConditions = (one: StoredLinkage, other: StoredLinkage): boolean =>
  one.match === other.match && JSON.stringify(one.conditions) === JSON.stringify(other.conditions)

const ruleOf = ({ match, conditions }: StoredLinkage, lines: LiveLinkage['lines']): LinkageRule => ({
  match,
  conditions: conditions.map((condition, index) => ruleCondition(lines[index] ?? null, condition)),
})

/** What is stored of it: never more than what came of it. `stored`: the rise that is stored with it. */
export function keptOf(own: LiveLinkage, stored: Unstored | null = null): KeptLinkage {
  const { linkage, rises } = own
  const state = own.unstored.find((each) => each !== stored)?.before ?? own.state
  const conditions = state.conditions.map((each) => ({
    ...each,
    since: each.since === null || Number.isFinite(each.since) ? each.since : always,
  }))
  const all = putTogether({ ...state, conditions }, own.elsewhere, stored === null ? mergedLinkage : mergedRise)
  return { linkageId: linkage.linkageId, version: linkage.version, rises, state: all, turn: own.turn }
}

/** What others have stored of it is part of what is stored from here. */
export function besideKept(own: LiveLinkage, kept: KeptLinkage, now: number): void {
  own.turn = kept.turn
  const state = stateOf(own.linkage, kept)
  if (state) own.elsewhere = notAhead(state, now + clocksApartMs)
}

/** What others have stored of it is known here as well. `latest`: what they have observed is no newer, Unix ms. */
export function adoptKept(own: LiveLinkage, kept: KeptLinkage, latest: number): void {
  const isKnown = kept.turn === own.turn && own.elsewhere === null
  const state = stateOf(own.linkage, kept)
  if (isKnown || state === null) return
  const merged = mergedLinkage(own.state, notAhead(state, latest))
  own.state = withoutReadings(merged, (index) => own.lines[index] === null)
  own.turn = kept.turn
  own.elsewhere = null
  own.isDirty = own.isLearnt = true
}

/** Whether something else is known of it or of a condition than before. */
export const isKnownOtherwise = (before: LinkageState, after: LinkageState): boolean =>
  before.known !== after.known ||
  before.conditions.some(({ known, met }, index) => {
    const now = after.conditions[index]
    return known !== now?.known || met !== now.met
  })

/** Whether people see it stand otherwise: it is true, false or unknown, by its conditions and as a whole. */
export const isShownOtherwise = (before: LinkageState, after: LinkageState): boolean =>
  before.known !== after.known ||
  (before.unknownSince === null) !== (after.unknownSince === null) ||
  before.conditions.some(({ met, value }, index) => {
    const now = after.conditions[index]
    return met !== now?.met || (value === null) !== (now.value === null)
  })
