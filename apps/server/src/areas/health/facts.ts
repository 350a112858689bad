import type { Family, Text } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import { selfTestEveryDays } from '@linewarden/rules/control'
import type { HealthFacts } from '@linewarden/rules/health'
import { dayIn, endOfLife } from '@linewarden/rules/site'
import { quantile, quantileOfSorted, ruleDetector } from '@linewarden/rules/warning'
import type { PlantLine } from '../../plant/plant.ts'
import { linkOfDevice } from '../../plant/plant.ts'
import type { LineSource } from '../../store/health/source.ts'

/** Of fewer days, hours or minutes than these nothing is said. */
const [minDays, minHours, minVoltageMin] = [3, 72, 3 * 1_440] as const
/** What a line carries or leaks but for its highest hours. */
const peakShare = 0.95

/** What is known beside the line itself. */
export interface KnownBeside {
  readonly source: LineSource
  readonly life: { readonly installedOn: string | null; readonly serviceYears: number | null } | undefined
  /** As `model version`. */
  readonly withdrawn: ReadonlySet<string>
  readonly now: number
}

/** Everything that is known of a line of the plant, as the rules take it. */
export function healthFacts(line: PlantLine, { source, life, withdrawn, now }: KnownBeside): HealthFacts {
  const { device } = line
  const { gateway, family } = device
  const days = source.days !== null && source.days.days >= minDays ? source.days : null
  const minutes = days !== null && days.knownMin >= minVoltageMin ? days : null
  const wasReporting = days !== null && days.onlineS > 0
  const { link } = linkOfDevice(device)
  return {
    ...{ family, model: device.model, ratedA: line.ratedCurrentA, settings: line.reported, ordered: source.ordered },
    states: line.states,
    selfTest: {
      last: line.selfTest,
      ...(source.plan ?? { enabled: true, everyDays: selfTestEveryDays }),
    },
    residualMa: residualOf(source.residualMa),
    hottestC: days === null ? null : source.hottestC,
    i95A: days !== null && days.i95A.length >= minDays ? quantile(days.i95A, peakShare) : null,
    outsidePercent: minutes && percent(minutes.outsideMin, minutes.knownMin),
    unbalance2Percent: minutes && percent(minutes.unbalance2Min, minutes.knownMin),
    unbalance4Percent: minutes && percent(minutes.unbalance4Min, minutes.knownMin),
    availabilityPercent: days && Math.min(100, percent(days.onlineS, days.days * (dayMs / 1_000))),
    signalDbm: pointValue(line, 'signal') ?? gateway.signal?.dbm ?? null,
    batteryPercent: pointValue(line, 'battery'),
    clockGood: gateway.clockSynchronised === null ? null : gateway.clockSynchronised && line.clockGood,
    online: link === 'never' ? null : link,
    lifeLeftDays: lifeLeft(life, gateway.project.timeZone, now),
    wearShare: line.ratedCurrentA === null ? null : wearOf(source.look, wasReporting),
    firmwareWithdrawn: gateway.firmware === null ? null : withdrawn.has(`${gateway.model} ${gateway.firmware}`),
    findings: source.look?.isEvaluated ? source.findings : null,
    alarms: [...line.alarms.values()].map(({ key, kind, priority }) => ({
      ...{ key, kind, priority, label: labelOf(family, key), danger: isDanger(family, key) },
    })),
    lockoutCause: line.lockoutCause,
    trips: wasReporting || source.trips > 0 ? source.trips : null,
    supplyFaults: wasReporting || source.supplyFaults > 0 ? source.supplyFaults : null,
    arcAlarms: wasReporting || source.arcAlarms > 0 ? source.arcAlarms : null,
    overdueOrders: source.overdueOrders,
  }
}

const percent = (part: number, of: number): number => (100 * part) / of

/** Openings of which nothing was counted are not known, nor is that there were none where nothing was heard. */
function wearOf(look: LineSource['look'], wasReporting: boolean): number | null {
  if (look === null) return null
  return look.wear > 0 || (look.openings === 0 && wasReporting) ? look.wear : null
}

function residualOf(hours: Float32Array): number | null {
  const known = hours.filter((each) => !Number.isNaN(each)).sort()
  return known.length < minHours ? null : quantileOfSorted(known, peakShare)
}

function pointValue({ device, values }: PlantLine, quantity: 'signal' | 'battery'): number | null {
  const point = device.family.points.find((each) => each.quantity === quantity)
  const value = point === undefined ? Number.NaN : (values[point.slot] ?? Number.NaN)
  return Number.isNaN(value) ? null : value
}

function lifeLeft(life: KnownBeside['life'], timeZone: string, now: number): number | null {
  const until = life ? endOfLife(life) : null
  return until === null ? null : Math.round((Date.parse(until) - Date.parse(dayIn(timeZone, now))) / dayMs)
}

const labelOf = (family: Family, key: string): Text =>
  family.alarms.find((alarm) => alarm.key === key)?.label ?? ruleDetector(key)?.label ?? { zh: key, en: key }

const isDanger = (family: Family, key: string): boolean =>
  family.alarms.some((alarm) => alarm.key === key && alarm.danger !== undefined)
