import type { Firing, LinkagePicture, LinkageRule, LinkageState } from '@linewarden/rules/automation'
import {
  clocksApartMs,
  enabledLinkage,
  foldLinkage,
  maxLateMs,
  mergedLinkage,
  mergedRise,
  notAhead,
  resumedLinkage,
  setBackLinkage,
  withoutReadings,
} from '@linewarden/rules/automation'
import type { Ingest } from '../../field/ingest.ts'
import type { Plant, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { StoredCondition, StoredLinkage } from '../../store/automation/linkage.ts'
import type { KeptLinkage } from '../../store/automation/linkage-state.ts'
import { putTogether } from '../../store/automation/linkage-state.ts'
import { lineOf } from './linkage-lines.ts'
import { isByChange, keyOf, periodMsOf, ruleCondition, slotNow, slotOf, slotReceivedAt, valueNow } from './linkage-values.ts'

/** A linkage that is evaluated here, with the clocks of its conditions. */
export interface LiveLinkage {
  linkage: StoredLinkage
  rule: LinkageRule
  /** Of each condition; null: it is not in the project any more, so that the condition is unknown. */
  readonly lines: readonly (PlantLine | null)[]
  state: LinkageState
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
  /** By condition when the value that was taken last came, as its line has it: by a clock that is set back it would come again and again. */
  readonly taken: Map<number, number>
  /** By line when the last message came by which values that it left out were taken to stand. */
  readonly stood: Map<number, number>
  /** When it could not be evaluated, since it was read last; null: it can. */
  failed: number | null
}

/** A rise that is being stored, and how its linkage stood before it: a crash until then is to find it as something that is still to rise. */
export interface Unstored {
  readonly before: LinkageState
}

/** More than this, and the clock was set back. */
const setBackMs = 2_000

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
  const rule = ruleOf(linkage, lines)
  const isSame = kept?.version === linkage.version && isStateOf(linkage, kept.state)
  const goesOn = before && hasSameConditions(before.linkage, linkage) ? before : null
  const stored = isSame ? resumedLinkage(kept.state as unknown as LinkageState, now) : enabledLinkage(rule, now)
  return {
    ...{ linkage, rule, lines, isDirty: !isSame, isLearnt: !isSame || (goesOn?.isLearnt ?? false) },
    state: withoutReadings(goesOn?.state ?? stored, (index) => lines[index] === null),
    ...{ rises: Math.max(kept?.rises ?? 0, goesOn?.rises ?? 0), unstored: goesOn?.unstored ?? [] },
    // What goes on as it stands has not read what is stored by now.
    ...{ turn: (goesOn ?? kept)?.turn ?? -1, elsewhere: goesOn?.elsewhere ?? null },
    ...{ near: new Map(goesOn?.near), taken: new Map(goesOn?.taken), stood: new Map(goesOn?.stood), failed: null },
  }
}

/** Whether each of its conditions reads the line that it did when it was made: lines are removed and moved, and come back. */
export const readsSameLines = (plant: Plant, { linkage, lines }: LiveLinkage): boolean =>
  conditionLines(plant, linkage).every((line, index) => line === lines[index])

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

/** What is stored may be of another version of this server: then it begins anew. */
const isStateOf = ({ conditions }: StoredLinkage, { clock, conditions: stored }: KeptLinkage['state']): boolean =>
  typeof clock === 'number' &&
  Array.isArray(stored) &&
  stored.length === conditions.length &&
  stored.every((each) => typeof each === 'object' && each !== null)

export const hasSameConditions = (one: StoredLinkage, other: StoredLinkage): boolean =>
  one.match === other.match && JSON.stringify(one.conditions) === JSON.stringify(other.conditions)

const ruleOf = ({ match, conditions }: StoredLinkage, lines: LiveLinkage['lines']): LinkageRule => ({
  match,
  conditions: conditions.map((condition, index) => ruleCondition(lines[index] ?? null, condition)),
})

/** Equipment says at its birth how often it reports. */
export function followPeriods(own: LiveLinkage): void {
  const isSame = readsOf(own).every(({ line, sampled, lasting }) => {
    const isAsRead = ({ index, condition }: Read) => own.rule.conditions[index]?.periodMs === periodMsOf(line, condition)
    return (
      sampled.every((read) => !isByChange(line, read.condition) && isAsRead(read)) &&
      lasting.every((read) => isByChange(line, read.condition) && isAsRead(read))
    )
  })
  if (!isSame) own.rule = ruleOf(own.linkage, own.lines)
}

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
  if (kept.version === own.linkage.version && isStateOf(own.linkage, kept.state))
    own.elsewhere = notAhead(kept.state as unknown as LinkageState, now + clocksApartMs)
}

/** What others have stored of it is known here as well. `latest`: what they have observed is no newer, Unix ms. */
export function adoptKept(own: LiveLinkage, kept: KeptLinkage, latest: number): void {
  const isKnown = kept.turn === own.turn && own.elsewhere === null
  if (isKnown || kept.version !== own.linkage.version || !isStateOf(own.linkage, kept.state)) return
  const merged = mergedLinkage(own.state, notAhead(kept.state as unknown as LinkageState, latest))
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

/** What a condition reads, found out once: every report of its line asks for it. */
interface Read {
  readonly index: number
  readonly condition: StoredCondition
  readonly key: string
  readonly slot: number | null
}

interface LineReads {
  readonly line: PlantLine
  readonly id: string
  readonly sampled: readonly Read[]
  readonly lasting: readonly Read[]
}

/** A rule is made anew when equipment reports otherwise than it did, by which it is decided what is sampled. */
const readsOfRule = new WeakMap<LinkageRule, readonly LineReads[]>()

function readsOf({ linkage, lines, rule }: LiveLinkage): readonly LineReads[] {
  const known = readsOfRule.get(rule)
  if (known) return known
  const made = [...new Set(lines)].flatMap((line): LineReads[] => {
    if (line === null) return []
    const own = linkage.conditions.flatMap((condition, index): Read[] =>
      lines[index] === line ? [{ index, condition, key: keyOf(condition), slot: slotOf(line, condition) }] : [],
    )
    const [lasting = [], sampled = []] = [true, false].map((is) =>
      own.filter(({ condition }) => isByChange(line, condition) === is),
    )
    return [{ line, id: String(line.id), sampled, lasting }]
  })
  readsOfRule.set(rule, made)
  return made
}

/** What a line says now of the conditions that read it: values that were sampled when they came, what stands until it changes as of now. */
function picturesOf(
  ingest: Pick<Ingest, 'hasValidPosition'>,
  own: LiveLinkage,
  which: (line: PlantLine) => boolean,
  now: number,
): readonly LinkagePicture[] {
  const pictures: LinkagePicture[] = []
  for (const { line, id, sampled, lasting } of readsOf(own)) {
    if (!which(line)) continue
    const lastOf = (reads: readonly Read[]) =>
      reads.reduce((last, { index }) => Math.max(last, own.state.conditions[index]?.lastAt ?? 0), 0)
    for (const [cameAt, reads] of newSamples(own, line, sampled, now)) {
      for (const { index } of reads) own.taken.set(index, cameAt)
      pictures.push({
        ...{ at: Math.max(Math.min(cameAt, now), lastOf(reads) + 1), mark: markOf(line) },
        values: reads.map(({ key, slot }) => ({ line: id, key, value: slotNow(line, slot) })),
      })
    }
    pictures.push(...leftOut(own, line, sampled, now))
    if (lasting.length > 0)
      pictures.push({
        ...{ at: Math.max(now, lastOf(lasting) + 1, lastOf(sampled) + 1), mark: 'live' },
        values: lasting.map(({ key, condition }) => ({ line: id, key, value: valueNow(ingest, line, condition) })),
      })
  }
  return pictures
}

/**
 * What the newest message of a line leaves out stands as it was reported: equipment may say only what has changed, and a trip does not wait for
 * it. It was not reported of late: what is older than a moment closes nothing.
 */
function leftOut(own: LiveLinkage, line: PlantLine, sampled: readonly Read[], now: number): LinkagePicture[] {
  const { id, liveReceivedAt } = line
  if (liveReceivedAt === null || own.stood.get(id) === liveReceivedAt) return []
  own.stood.set(id, liveReceivedAt)
  const mark = markOf(line)
  return sampled.flatMap(({ index, key, slot }): LinkagePicture[] => {
    const reportedAt = slotReceivedAt(line, slot)
    if (reportedAt === null || reportedAt === liveReceivedAt) return []
    return [
      {
        at: Math.max(Math.min(liveReceivedAt, now), (own.state.conditions[index]?.lastAt ?? 0) + 1),
        mark: mark === 'live' && liveReceivedAt - reportedAt > maxLateMs.close ? 'old' : mark,
        values: [{ line: String(id), key, value: slotNow(line, slot) }],
      },
    ]
  })
}

/** By when they came, the values that were not taken yet. */
function newSamples(
  own: LiveLinkage,
  line: PlantLine,
  sampled: readonly Read[],
  now: number,
): ReadonlyMap<number, readonly Read[]> {
  const found = new Map<number, Read[]>()
  for (const read of sampled) {
    const cameAt = slotReceivedAt(line, read.slot)
    const taken = own.taken.get(read.index)
    if (cameAt === null || cameAt === taken) continue
    // By a clock that was set back by so little that nothing moved along, what is new comes at an earlier time.
    const last = (own.state.conditions[read.index]?.lastAt ?? 0) - (taken === undefined ? 0 : setBackMs)
    if (Math.min(cameAt, now) <= last) continue
    const others = found.get(cameAt)
    if (others) others.push(read)
    else found.set(cameAt, [read])
  }
  return found
}

/** A value that was measured some time before it came may be played back: what rises by it closes nothing. */
function markOf({ clockGood, liveAt, liveReceivedAt }: PlantLine): LinkagePicture['mark'] {
  if (!clockGood) return 'clockOff'
  return liveAt !== null && liveReceivedAt !== null && liveReceivedAt - liveAt > maxLateMs.close ? 'old' : 'live'
}

/** Folds what these lines say now, and the time that has passed. What was folded already changes nothing. */
export function foldNow(
  ingest: Pick<Ingest, 'hasValidPosition'>,
  own: LiveLinkage,
  which: (line: PlantLine) => boolean,
  now: number,
): readonly Firing[] {
  const aheadMs = own.state.clock - now
  if (aheadMs > setBackMs) own.state = setBackLinkage(own.state, aheadMs)
  if (aheadMs > setBackMs && own.elsewhere) own.elsewhere = setBackLinkage(own.elsewhere, aheadMs)
  const pictures = picturesOf(ingest, own, which, now)
  const { state, firings } = foldLinkage(own.rule, own.state, pictures, now)
  own.state = state
  if (pictures.length > 0 || firings.length > 0) own.isDirty = true
  return firings
}
