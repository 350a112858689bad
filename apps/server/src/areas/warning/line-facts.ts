import type { Warning, ZoneClock } from '@linewarden/contract'
import { sparkDays, zoneClock } from '@linewarden/contract'
import { dayMs } from '@linewarden/equipment'
import type { LineKind, ShownDay } from '@linewarden/rules/warning'
import { daySeries, lineKind } from '@linewarden/rules/warning'
import type { PlantLine } from '../../plant/plant.ts'
import type { FeatureRow } from '../../store/warning/feature.ts'
import type { FindingRow } from '../../store/warning/finding.ts'

/** A local day, counted since 1970, as people write it. */
export const dayText = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)

const clocks = new Map<string, ZoneClock>()

/** The clock of a zone; kept, because to make one takes long. There are as many as zones of projects. */
export function clockOf(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone)
  if (known) return known
  const made = zoneClock(timeZone)
  clocks.set(timeZone, made)
  return made
}

/** The local day of a moment. */
export const localDay = (timeZone: string, at: number): number => Math.floor(clockOf(timeZone).local(at) / dayMs)

export const kindOfLine = (line: PlantLine): LineKind =>
  lineKind({ ...line.device, ratedCurrentA: line.ratedCurrentA, reported: line.reported })

export const shownDay = (row: FeatureRow): ShownDay => ({
  floorMa: row.leak_floor_ma,
  i95A: row.i95_a,
  excessK: row.excess_k,
  excessErrorK: row.excess_error_k,
  unbalancePercent: row.unbalance_percent,
  voltageKnownMin: row.voltage_known_min,
  voltageOutsideMin: row.voltage_outside_min,
  arcHours: row.arc_hours,
  tripMs: row.trip_ms,
})

/** The last weeks of what a finding is about; null: its detector looks at no days, or nothing is kept of them. */
export function sparkOf(
  { key, point, evidence }: FindingRow,
  line: PlantLine | undefined,
  features: readonly FeatureRow[],
  today: number,
): Warning['Spark'] {
  const series = daySeries(key)
  if (!series || !line || features.length === 0) return null
  const kind = kindOfLine(line)
  const from = today - sparkDays + 1
  const values: (number | null)[] = Array.from({ length: sparkDays }, () => null)
  for (const row of features)
    if (row.day >= from && row.day <= today) values[row.day - from] = series.of(shownDay(row), kind, point)
  const sameUnit = evidence.unit === series.unit
  return {
    From: dayText(from),
    Unit: series.unit,
    Values: values,
    Baseline: sameUnit ? evidence.baseline : null,
    Spread: sameUnit ? evidence.spread : null,
    Limit: sameUnit ? evidence.limit : null,
  }
}
