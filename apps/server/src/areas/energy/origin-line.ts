import type { OriginFix, OriginLine, OriginQuarters, OriginStep } from '@linewarden/contract'
import { dayMs, minuteMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import type { EnergyUnit } from '@linewarden/rules/energy'
import { barsOf, How, maxFixesOfProject, quarterMs } from '@linewarden/rules/energy'
import type { Actor } from '../../access/actor.ts'
import type { PlantLine } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { Database } from '../../store/core/database.ts'
import { linesSeenBy } from '../../store/core/row-security.ts'
import type { StoredFix } from '../../store/energy/fixes.ts'
import { fixesOf } from '../../store/energy/fixes.ts'
import { metersOf } from '../../store/energy/meters.ts'
import type { LineQuarters } from '../../store/energy/read.ts'
import { readQuarters } from '../../store/energy/read.ts'
import { readingsSince, registersAt } from '../../store/energy/registers.ts'
import { isOpenAt } from './amount.ts'
import { registersOf, shownAt } from './line-registers.ts'
import type { OriginStretch } from './origin-stretch.ts'

/** Where the energy of a line comes from: its registers where its months, days, hours or quarters meet, and how each of its quarters is known. */
export async function originOfLine(
  database: Database,
  actor: Actor,
  line: PlantLine,
  stretch: OriginStretch,
): Promise<OriginLine> {
  const { from, to, now } = stretch
  const parts = stepsOf(stretch)
  const instants = [...parts.map((step) => step.from), to]
  const read = await linesSeenBy(database, actor.scope, [line.id])(async (db) => ({
    registers: (await registersAt(db, [line.id], instants)).get(line.id) ?? [],
    meters: (await metersOf(db.general, [line.id])).get(line.id) ?? [],
    quarters: await readQuarters(db, line.id, from, to),
    fixes: await fixesOf(db.general, [line.id], maxFixesOfProject),
    since: await readingsSince(db, line.id),
  }))
  const { registers, meters, quarters, fixes, since } = read
  const periodMs = reportingPeriodOf(line.device)
  const at = (index: number) => registers[index] ?? { before: null, after: null }
  const riseOf = (first: number, last: number) => {
    const [begins, ends] = [instants[first] ?? from, instants[last] ?? to]
    return registersOf(meters, { from: begins, to: ends, opening: at(first), closing: at(last), periodMs })
  }
  const whole = riseOf(0, parts.length)
  return {
    ...{ LineID: line.id, Name: line.name, GatewayName: line.device.gateway.name, ReadingsSince: since, PeriodMs: periodMs },
    ...{ Quarters: amountOf(quarters, stretch, now).Quarters, RegisterWh: risen(whole) },
    Meters: (whole.meters ?? []).map((meter) => ({
      ...{ Serial: meter.serial, Multiplier: meter.multiplier, From: meter.from, To: meter.to },
      ...{ Opening: meter.opening, Closing: meter.closing, Wh: meter.wh },
    })),
    Edges: instants.map((instant, index) => ({
      ...{ At: instant, Kwh: shownAt(meters, at(index), instant, periodMs) },
      ...{ Before: readingReply(at(index).before), After: readingReply(at(index).after) },
    })),
    Steps: parts.map(
      (step, index): OriginStep => ({
        ...{ Civil: step.civil, From: step.from, To: step.to, RegisterWh: risen(riseOf(index, index + 1)) },
        ...amountOf(quarters, step, now),
      }),
    ),
    Fixes: fixes
      .filter((fix) => fix.undone_at === null && fix.starts < to && fix.ends > from)
      .map((fix) => fixReply(fix, !actor.shared)),
  }
}

interface Step {
  readonly civil: string
  readonly from: number
  readonly to: number
}

const maxDaySteps = 31
const maxMonthSteps = 366

/** What it is made of, one size smaller. */
function stepsOf({ zone, from, to, first, end, isHour }: OriginStretch): readonly Step[] {
  if (isHour)
    return Array.from({ length: (to - from) / quarterMs }, (_, index) => {
      const begins = from + index * quarterMs
      const wall = zone.wallAt(begins)
      const day = Math.floor(wall / dayMs)
      const minutes = Math.floor((wall - day * dayMs) / minuteMs)
      const clock = [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, '0')).join(':')
      return { civil: `${dateText(day)} ${clock}`, from: begins, to: begins + quarterMs }
    })
  return barsOf(zone, unitOf(end - first), first, end)
    .filter((bar) => bar.start < bar.end)
    .map(({ civil, start, end: ends }) => ({ civil, from: start, to: ends }))
}

function unitOf(days: number): EnergyUnit {
  if (days === 1) return 'hour'
  if (days <= maxDaySteps) return 'day'
  return days <= maxMonthSteps ? 'month' : 'year'
}

const risen = ({ opening, closing }: { readonly opening: number | null; readonly closing: number | null }): number | null =>
  opening === null || closing === null ? null : closing - opening

const readingReply = (read: { readonly at: number; readonly kwh: number } | null) => read && { At: read.at, Kwh: read.kwh }

const names = {
  [How.measured]: 'Measured',
  [How.spread]: 'Spread',
  [How.estimated]: 'Estimated',
  [How.entered]: 'Entered',
} as const satisfies Partial<Record<number, keyof OriginQuarters>>

function amountOf({ from: begins, wh, how }: LineQuarters, step: Pick<Step, 'from' | 'to'>, now: number) {
  const Quarters = { Measured: 0, Spread: 0, Estimated: 0, Entered: 0, Missing: 0, Open: 0 }
  let sum: number | null = null
  for (let at = step.from; at < step.to; at += quarterMs) {
    const index = (at - begins) / quarterMs
    const own = wh[index] ?? null
    if (own === null) Quarters[isOpenAt(at, now) ? 'Open' : 'Missing'] += 1
    else {
      sum = (sum ?? 0) + own
      Quarters[names[how[index] as keyof typeof names] ?? 'Measured'] += 1
    }
  }
  return { Wh: sum, Quarters }
}

/** Guests see what was entered, and nobody: `isNamed` is false for them. */
const fixReply = (row: StoredFix, isNamed: boolean): OriginFix => ({
  ...{ FixID: row.fix_id, From: row.starts, To: row.ends, Method: row.method, StartKwh: row.start_kwh, EndKwh: row.end_kwh },
  ...{ Wh: row.wh, Reason: row.reason, TypedAt: row.typed_at.getTime(), TypedBy: isNamed ? row.typed_name : null },
})
