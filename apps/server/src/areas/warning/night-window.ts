import { dayMs, hourMs } from '@linewarden/equipment'
import type { LineHours, LineKind } from '@linewarden/rules/warning'
import { loadAgainFrom, quantileOfSorted, sortedKnown } from '@linewarden/rules/warning'
import type { PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { StoredHours } from '../../store/warning/window.ts'
import type { IsRestDay } from './rest-days.ts'

/** Days of the hours that are looked at: of the residual current hours alike of four weeks, of all else the days alike of a week and more. */
export const residualDays = 28
const currentDays = 10

/** Hours alike: those of workdays, and from here on those of other days. */
export const restSlots = 24

/**
 * From which day on currents are looked at: behind a long holiday the last days like the one that comes lie further back than usual.
 */
export const currentsFrom = (today: number, isRestDay: IsRestDay): number =>
  Math.min(today - currentDays, loadAgainFrom(today, isRestDay))

/** The stored hours of a line as detectors read them, one place for each hour that there is. */
export function windowOf(
  kind: LineKind,
  days: readonly StoredHours[],
  { local, isRestDay }: { readonly local: (at: number) => number; readonly isRestDay: IsRestDay },
): LineHours {
  const total = days.reduce((sum, each) => sum + lengthOf(kind, each), 0)
  const columns = (wide: number) => Array.from({ length: wide }, () => new Float32Array(total).fill(Number.NaN))
  const [phases, terminals] = [kind.currentPoints.length, kind.terminalPoints.length]
  const hours: LineHours = {
    hour: new Int32Array(total),
    day: new Int32Array(total),
    slot: new Uint8Array(total),
    counts: new Uint8Array(total),
    squareA2: columns(phases),
    maxA: columns(phases),
    terminalC: columns(terminals),
    residualMa: new Float32Array(total).fill(Number.NaN),
  }
  let at = 0
  for (const each of days) {
    const length = lengthOf(kind, each)
    const firstLocal = local(each.firstHour * hourMs)
    const firstSlot = isRestDay(each.day) ? restSlots : 0
    for (let i = 0; i < length; i++) {
      hours.hour[at + i] = each.firstHour + i
      hours.day[at + i] = each.day
      // On days on which clocks change an hour stands beside its own: hours alike differ by no more.
      hours.slot[at + i] = firstSlot + (Math.floor(((firstLocal + i * hourMs) % dayMs) / hourMs) % 24)
      hours.counts[at + i] = (each.counts >> i) & 1
    }
    if (each.residualMa) hours.residualMa.set(each.residualMa.subarray(0, length), at)
    if (each.currents) {
      place(hours.squareA2, each.currents.squareA2, length, at)
      place(hours.maxA, each.currents.maxA, length, at)
      place(hours.terminalC, each.currents.terminalC, length, at)
    }
    at += length
  }
  return hours
}

/** Of a line whose equipment was replaced by some with other points the columns say nothing: then the day has no length. */
function lengthOf(kind: LineKind, { figures }: StoredHours): number {
  if (figures.residualMa !== null) return figures.residualMa
  const [phases, terminals] = [kind.currentPoints.length, kind.terminalPoints.length]
  if (phases > 0) return Math.floor((figures.maxA ?? 0) / phases)
  return terminals > 0 ? Math.floor((figures.terminalC ?? 0) / terminals) : 0
}

function place(columns: readonly Float32Array[], stored: Float32Array, length: number, at: number): void {
  if (stored.length !== columns.length * length) return
  for (const [nth, column] of columns.entries()) column.set(stored.subarray(nth * length, (nth + 1) * length), at)
}

/** Below this share of its rated current a line hardly warms its terminals: they are as warm as the cabinet. */
const idleShare = 0.1
const airQuantile = 0.1
const airDays = 7
const minAirHours = 24

/** The air in the cabinet of each gateway, by the terminals of lines that carry next to nothing; where none does, it is not known. */
export function airOfGateways(
  windows: readonly { readonly line: PlantLine; readonly kind: LineKind; readonly hours: LineHours }[],
  today: number,
): ReadonlyMap<PlantGateway, number> {
  const idle = new Map<PlantGateway, number[]>()
  for (const { line, kind, hours } of windows) {
    if (kind.ratedA === null || hours.squareA2.length === 0) continue
    const limit = (idleShare * kind.ratedA) ** 2
    const own = idle.get(line.device.gateway) ?? []
    idle.set(line.device.gateway, own)
    for (let i = 0; i < hours.hour.length; i++) {
      if ((hours.day[i] ?? 0) <= today - airDays || hours.squareA2.some((each) => !((each[i] ?? Number.NaN) < limit))) continue
      for (const column of hours.terminalC) own.push(column[i] ?? Number.NaN)
    }
  }
  return new Map(
    [...idle].flatMap(([gateway, values]) => {
      const known = sortedKnown(values)
      return known.length >= minAirHours ? [[gateway, quantileOfSorted(known, airQuantile)] as const] : []
    }),
  )
}
