import type {
  Finding,
  FindingChange,
  FollowedFinding,
  LineKind,
  NightOutcomes,
  Outcome,
  WarningDetector,
} from '@linewarden/rules/warning'
import {
  contact,
  dailyDetectors,
  followFinding,
  isFinding,
  isNotEvaluated,
  loadAgain,
  loadGrowth,
  releaseSlow,
  wear,
  worstOutcome,
} from '@linewarden/rules/warning'
import type { LearntOf, LookOutcome, StoredFollowed, StoredOutcomes } from '../../store/warning/look.ts'
import type { OpenFinding } from '../../store/warning/look-write.ts'

/** Detectors that say something of each phase or terminal by itself. */
export const pointsOf = (declaration: WarningDetector, kind: LineKind): readonly (string | null)[] => {
  if (declaration.key === contact.key)
    return kind.currentPoints.length === 1 ? kind.terminalPoints : kind.terminalPoints.slice(0, kind.currentPoints.length)
  if (declaration.key === loadGrowth.key) return kind.currentPoints
  return [wholePoint[declaration.key] ?? null]
}

const wholePoint: Readonly<Record<string, string>> = {
  'leakage.step': 'residual',
  'leakage.drift': 'residual',
  'arc.precursor': 'arc.halfCycles',
  'release.slow': 'selfTest',
}

export const placeOf = (key: string, point: string | null): string => (point === null ? key : `${key}@${point}`)

/** What becomes of one finding by a look. */
export interface LookChange {
  readonly declaration: WarningDetector
  readonly point: string | null
  readonly change: FindingChange
}

/**
 * Follows every daily detector of a line by one look. `open`: the level of the findings that are open, by place. A detector that is switched
 * off, or has nothing to look at any more, finds nothing: what it left open returns like everything else.
 */
export function followLook(
  outcomes: NightOutcomes,
  kind: LineKind,
  before: StoredFollowed,
  open: ReadonlyMap<string, NonNullable<FollowedFinding['open']>>,
): { readonly followed: StoredFollowed; readonly changes: readonly LookChange[] } {
  const followed: Record<string, StoredFollowed[string]> = {}
  const changes: LookChange[] = []
  for (const declaration of dailyDetectors) {
    if (declaration === loadAgain) continue
    const own = outcomes.get(declaration)
    const points = pointsOf(declaration, kind)
    for (const [nth, point] of points.entries()) {
      const place = placeOf(declaration.key, point)
      const outcome = own === undefined ? null : outcomeOf(own, nth)
      const answer = followFinding(
        { agreeing: 0, agreed: null, ...before[place], open: open.get(place) ?? null },
        outcome,
        declaration.looks,
      )
      const { agreeing, agreed } = answer.followed
      if (agreeing > 0 || agreed !== null) followed[place] = { agreeing, agreed }
      if (answer.change) changes.push({ declaration, point, change: answer.change })
    }
  }
  return { followed, changes }
}

/** Open findings that this look finds again, and of which nobody was told: they were raised by a look on a day that others followed. */
export function uncalled(
  open: readonly OpenFinding[],
  outcomes: NightOutcomes,
  kind: LineKind,
): readonly { readonly declaration: WarningDetector; readonly eventId: string; readonly finding: Finding }[] {
  return open.flatMap(({ eventId, key, point, level, announced }) => {
    const declaration = dailyDetectors.find((each) => each.key === key)
    const own = declaration && outcomes.get(declaration)
    if (!declaration || !own || announced > 0) return []
    const outcome = outcomeOf(own, pointsOf(declaration, kind).indexOf(point))
    return isFinding(outcome) ? [{ declaration, eventId, finding: { ...outcome, point, level } }] : []
  })
}

/** One that stands for all points says the same of each. */
export const outcomeOf = (own: readonly Outcome[], nth: number): Outcome => {
  const [only] = own
  if (own.length === 1 && only !== undefined) return isFinding(only) && nth > 0 ? null : only
  return own[nth] ?? null
}

/** What each detector said, as it is kept. */
export const storedOutcomes = (outcomes: NightOutcomes): StoredOutcomes =>
  Object.fromEntries([...outcomes].map(([{ key }, own]) => [key, lookOutcome(worstOutcome(own))]))

function lookOutcome(outcome: Outcome): LookOutcome {
  if (outcome === null) return { is: 'sound' }
  if (isNotEvaluated(outcome)) {
    const { notEvaluated: reason, have, need } = outcome
    return { is: 'notEvaluated', reason, have, need }
  }
  const { level, point, evidence } = outcome
  return { is: 'finding', level, point, evidence }
}

/** Why nothing could be said of how a line is; null: something could. What counts operations can always say how many. */
export function reasonOf(outcomes: StoredOutcomes): string | null {
  const all = Object.entries(outcomes).flatMap(([key, each]) => (key === wear.key || key === releaseSlow.key ? [] : [each]))
  const asked = all.filter((each) => each.is !== 'notEvaluated')
  const first = all.find((each) => each.is === 'notEvaluated')
  return asked.length > 0 || first?.is !== 'notEvaluated' ? null : first.reason
}

/** Whether a line has another breaker than it was learnt of, as far as both are known. */
export const isAnother = (was: LearntOf, is: LearntOf): boolean =>
  differs(was.ratedA, is.ratedA) || differs(was.tripMa, is.tripMa) || was.model !== is.model

const differs = (one: number | null, other: number | null): boolean => one !== null && other !== null && one !== other
