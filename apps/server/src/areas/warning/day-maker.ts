import { dayMs, hourMs } from '@linewarden/equipment'
import type { HourRow, LineHours, LineKind, VoltageMeans } from '@linewarden/rules/warning'
import {
  arcHoursOf,
  contact,
  dayFeatures,
  defaultParams,
  enduranceOf,
  hourCounts,
  lineHours,
  openingWear,
  usualArcAlarm,
  voltageMinutes,
} from '@linewarden/rules/warning'
import type { PlantLine } from '../../plant/plant.ts'
import { reportingPeriodOf } from '../../plant/plant.ts'
import type { PositionCourse, RolledHour, StoredOpening, Stretch } from '../../store/warning/day-source.ts'
import type { DayHours, DayRow } from '../../store/warning/day-write.ts'

/** Everything that the database has of a line on one local day. */
export interface DaySource {
  readonly hours: readonly RolledHour[]
  readonly voltages: readonly { readonly hour: number; readonly ten: readonly (number | null)[] }[]
  readonly position: PositionCourse
  readonly openings: readonly StoredOpening[]
  readonly tripMs: readonly number[]
}

export interface LocalDay extends Stretch {
  readonly day: number
  /** The local hour of an hour since 1970. */
  readonly localHour: (hour: number) => number
}

const known = (value: number | null | undefined): number => value ?? Number.NaN
/** Where the temperatures of terminals begin, and how many there are of them. */
const firstTerminalSlot = 11
/** The most half-cycles of an arc detector stand in this slot. */
const arcSlot = 1

/** What is kept of a line's day. */
export function makeDay(
  line: PlantLine,
  kind: LineKind,
  source: DaySource,
  local: LocalDay,
): { readonly row: DayRow; readonly hours: DayHours | null } {
  const { day, begins, ends } = local
  const expected = samplesPerHour(line)
  const isClosed = kind.switches ? closedDuring(source.position) : () => true
  const rows = source.hours.map((hour): HourRow => hourRow(line, kind, hour, { local, expected, isClosed }))
  const hours = lineHours(rows)
  const features = dayFeatures(kind, defaultParams(contact), hours, day)
  const minutes = voltageMinutes(kind, meansOf(kind, source.voltages))
  const covered = source.hours.reduce((sum, { count }) => sum + Math.min(1, count / expected), 0)
  const arcs = kind.measuresArcs
    ? arcHoursOf(
        source.hours.map(({ max }) => known(max[arcSlot])),
        kind.arcAlarm ?? usualArcAlarm,
      )
    : null
  const { ratedA } = kind
  return {
    row: {
      line_id: line.id,
      day,
      hours: rows.filter(({ counts }) => counts).length,
      coverage: Math.min(1, covered / ((ends - begins) / hourMs)),
      opened: source.position.first === false || source.position.moves.some(({ closed }) => !closed),
      leak_floor_ma: features.leakage.floorMa,
      leak_peak_ma: features.leakage.peakMa,
      i95_a: features.i95A,
      peak_a: features.peakA,
      excess_k: features.excessK,
      excess_error_k: features.excessErrorK,
      unbalance_percent: minutes.unbalancePercent,
      unbalance_2_min: minutes.unbalance2,
      unbalance_4_min: minutes.unbalance4,
      voltage_known_min: minutes.known,
      voltage_outside_min: minutes.outside,
      arc_hours: arcs,
      broken_a: source.openings.map(({ brokenA }) => known(brokenA)),
      wear:
        ratedA === null
          ? 0
          : source.openings.reduce((sum, opening) => sum + openingWear({ ...opening, ratedA }, enduranceOf(ratedA)), 0),
      trip_ms: source.tripMs,
      online_s: Math.min(Math.round((covered * hourMs) / 1_000), Math.round((ends - begins) / 1_000)),
    },
    hours: rows.length === 0 ? null : dayHours(line, kind, hours, local),
  }
}

/** How many samples an hour of it brings; equipment that reports when something changes is known by any. */
function samplesPerHour({ device }: PlantLine): number {
  const period = reportingPeriodOf(device)
  return period > 0 ? Math.max(1, hourMs / period) : 1
}

interface HourContext {
  readonly local: LocalDay
  readonly expected: number
  readonly isClosed: (begins: number) => boolean
}

function hourRow(line: PlantLine, kind: LineKind, hour: RolledHour, { local, expected, isClosed }: HourContext): HourRow {
  const slotsOf = (keys: readonly string[]) =>
    keys.map((key) => line.device.family.points.find((point) => point.key === key)?.slot ?? 0)
  const currents = slotsOf(kind.currentPoints)
  return {
    hour: hour.hour,
    day: local.day,
    // Of one day alone all hours are of one class; which, whoever looks at several days asks the calendar of then.
    slot: local.localHour(hour.hour),
    counts: hourCounts({
      closedThroughout: isClosed(hour.hour * hourMs),
      coverage: hour.count / expected,
      clockMarked: hour.clockMarked,
    }),
    squareA2: currents.map((slot) => known(hour.square[slot])),
    maxA: currents.map((slot) => known(hour.max[slot])),
    terminalC: slotsOf(kind.terminalPoints).map((slot) => known(hour.terminals[slot - firstTerminalSlot])),
    residualMa: kind.measuresResidual ? known(hour.residualMa) : Number.NaN,
  }
}

/** Whether a line was closed throughout an hour, by its journal. */
function closedDuring({ first, moves }: PositionCourse): (begins: number) => boolean {
  return (begins) => {
    const before = moves.findLast(({ at }) => at <= begins)
    const wasClosed = before ? before.closed : first === true
    return wasClosed && !moves.some(({ at, closed }) => !closed && at > begins && at < begins + hourMs)
  }
}

function meansOf({ voltagePoints }: LineKind, hours: DaySource['voltages']): readonly VoltageMeans[] {
  return hours.flatMap(({ hour, ten }) =>
    Array.from({ length: 6 }, (_, part) => ({
      at: hour * hourMs + part * (hourMs / 6),
      volts: voltagePoints.map((_, phase) => known(ten[phase * 6 + part])),
    })),
  )
}
export const voltageMeans = meansOf

/** By columns, one place for each hour of the day. */
function dayHours(line: PlantLine, kind: LineKind, hours: LineHours, { day, begins, ends }: LocalDay): DayHours {
  const firstHour = Math.ceil(begins / hourMs)
  const length = Math.ceil(ends / hourMs) - firstHour
  let counts = 0
  for (const [i, hour] of hours.hour.entries()) if (hours.counts[i] === 1) counts |= 1 << (hour - firstHour)
  const placed = (column: Float32Array) => {
    const all = new Float32Array(length).fill(Number.NaN)
    for (const [i, hour] of hours.hour.entries()) all[hour - firstHour] = column[i] ?? Number.NaN
    return all
  }
  return {
    lineId: line.id,
    day,
    firstHour,
    counts,
    residualMa: kind.measuresResidual ? placed(hours.residualMa) : null,
    squareA2: hours.squareA2.map(placed),
    maxA: hours.maxA.map(placed),
    terminalC: hours.terminalC.map(placed),
  }
}

/** The local day that begins at this moment. */
export const stretchOf = (day: number, moment: (local: number) => number): Stretch => ({
  begins: moment(day * dayMs),
  ends: moment((day + 1) * dayMs),
})
