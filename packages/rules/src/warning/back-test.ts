import type { WarningParameter } from './detector.ts'
import type { NotEvaluatedReason } from './finding.ts'
import type { StricterWay } from './stricter.ts'

/** Something that a rule would have raised. */
export interface BackTestFinding {
  readonly point: string | null
  /** Local day, since 1970. */
  readonly day: number
  /** How long until it returned, or until the stretch ended. */
  readonly hours: number
}

/** What a rule would have said of one line over a stretch. */
export interface LineBackTest {
  readonly lineId: number
  readonly findings: readonly BackTestFinding[]
  /** Local days of which something could be said. */
  readonly evaluated: ReadonlySet<number>
  /** Days of which nothing could be said, by the reason. */
  readonly reasons: ReadonlyMap<NotEvaluatedReason, number>
}

/** What one rule would have raised on all of its lines. */
export interface BackTestSide {
  readonly findings: number
  /** On which something was raised. */
  readonly lines: number
  /** Null: nothing was raised. */
  readonly maxHours: number | null
}

export interface BackTestDay {
  readonly day: number
  readonly present: number
  readonly changed: number
  /** Findings that both raise. */
  readonly both: number
  /** Lines of which something could be said. */
  readonly evaluated: number
}

export interface BackTestSummary {
  readonly changed: BackTestSide
  readonly present: BackTestSide
  /** Findings that only one of them raises. */
  readonly more: number
  readonly fewer: number
  readonly perDay: readonly BackTestDay[]
  readonly noisiest: readonly { readonly lineId: number; readonly changed: number; readonly present: number }[]
  /** Lines of which something could be said on at least one day, and why nothing of the others. */
  readonly evaluated: number
  readonly notEvaluated: readonly (readonly [NotEvaluatedReason, number])[]
  /** Share of the line-days of which something could be said, in per cent; null: there were none. */
  readonly coveragePercent: number | null
}

const noisiestShown = 10
const hoursOfDay = 24

/** Sets a changed rule beside the present one: each with the lines that it is for, over the local days `from` to `to`, both included. */
export function summariseBackTest(
  changed: readonly LineBackTest[],
  present: readonly LineBackTest[],
  { from, to }: { readonly from: number; readonly to: number },
): BackTestSummary {
  const days = Array.from({ length: to - from + 1 }, (_, nth) => ({
    ...{ day: from + nth, present: 0, changed: 0, both: 0, evaluated: 0 },
  }))
  const dayOf = (day: number) => days[day - from]
  const presentOf = new Map(present.map((each) => [each.lineId, each]))
  const reasons = new Map<NotEvaluatedReason, number>()
  let evaluated = 0
  let both = 0
  for (const line of changed) {
    const left = [...(presentOf.get(line.lineId)?.findings ?? [])]
    for (const finding of line.findings) {
      const day = dayOf(finding.day)
      if (day) day.changed += 1
      const same = left.findIndex((each) => isSame(each, finding))
      if (same < 0) continue
      left.splice(same, 1)
      both += 1
      if (day) day.both += 1
    }
    for (const day of line.evaluated) {
      const own = dayOf(day)
      if (own) own.evaluated += 1
    }
    if (line.evaluated.size > 0) evaluated += 1
    else {
      const [reason] = [...line.reasons].toSorted(([, one], [, other]) => other - one)[0] ?? ['notMeasured' as const]
      reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    }
  }
  for (const finding of present.flatMap(({ findings }) => findings)) {
    const day = dayOf(finding.day)
    if (day) day.present += 1
  }
  const [one, other] = [sideOf(changed), sideOf(present)]
  const lineDays = changed.length * days.length
  return {
    changed: one,
    present: other,
    more: one.findings - both,
    fewer: other.findings - both,
    perDay: days,
    noisiest: noisiestOf(changed, presentOf),
    evaluated,
    notEvaluated: [...reasons].toSorted(([, a], [, b]) => b - a),
    coveragePercent: lineDays === 0 ? null : (100 * days.reduce((sum, day) => sum + day.evaluated, 0)) / lineDays,
  }
}

/** Whether two rules speak of one thing: a milder one may say so days before. */
const isSame = (one: BackTestFinding, other: BackTestFinding): boolean =>
  one.point === other.point && one.day <= endOf(other) && other.day <= endOf(one)

const endOf = ({ day, hours }: BackTestFinding): number => day + Math.floor(hours / hoursOfDay)

function sideOf(lines: readonly LineBackTest[]): BackTestSide {
  const findings = lines.flatMap((line) => line.findings)
  return {
    findings: findings.length,
    lines: lines.filter((line) => line.findings.length > 0).length,
    maxHours: findings.reduce<number | null>((most, { hours }) => Math.max(most ?? hours, hours), null),
  }
}

function noisiestOf(changed: readonly LineBackTest[], present: ReadonlyMap<number, LineBackTest>): BackTestSummary['noisiest'] {
  const lines = new Map(changed.map(({ lineId, findings }) => [lineId, findings.length]))
  for (const lineId of present.keys()) if (!lines.has(lineId)) lines.set(lineId, 0)
  return [...lines]
    .map(([lineId, count]) => ({ lineId, changed: count, present: present.get(lineId)?.findings.length ?? 0 }))
    .filter((each) => each.changed + each.present > 0)
    .toSorted((a, b) => b.changed - a.changed || b.present - a.present || a.lineId - b.lineId)
    .slice(0, noisiestShown)
}

/** How far towards its strictest a figure is tried, the nearest first. */
const steps = [0.1, 0.25, 0.5, 1] as const

/**
 * The values of a figure on the way to the end of its range where it yields fewest findings, rounded as people write them. None where it
 * is there already.
 */
export function stricterValues(parameter: WarningParameter, value: number, way: StricterWay): readonly number[] {
  const end = way === 'up' ? parameter.max : parameter.min
  const values = steps.map((share) => (share === 1 ? end : rounded(value + share * (end - value), parameter)))
  return [...new Set(values)].filter((each) => (way === 'up' ? each > value && each <= end : each < value && each >= end))
}

/** Two figures that people read, or whole numbers where the range is in whole numbers. */
function rounded(value: number, { min, max }: WarningParameter): number {
  if (Number.isInteger(min) && Number.isInteger(max) && max - min >= 8) return Math.round(value)
  const digits = 10 ** Math.max(0, 2 - Math.ceil(Math.log10(max - min)))
  return Math.round(value * digits) / digits
}
