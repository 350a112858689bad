import { wire } from '@linewarden/equipment'
import type { Metric } from '@linewarden/sparkplug'
import { DataType, metric } from '@linewarden/sparkplug'
import type { SimulatedDevice } from './device.ts'

/** What the edge node says of itself when it is born. */
export const nodeBirth = (facts: {
  reportingPeriodMs: number
  clockSynchronised: boolean
  model: string
  firmware: string
  signalDbm: number
}): Metric[] => [
  metric({ name: 'Node Control/Rebirth', type: DataType.Boolean, value: false }),
  metric({ name: wire.info.reportingPeriod, type: DataType.Float, value: facts.reportingPeriodMs / 1000 }),
  metric({ name: wire.info.clockSynchronised, type: DataType.Boolean, value: facts.clockSynchronised }),
  metric({ name: wire.info.model, type: DataType.String, value: facts.model }),
  metric({ name: wire.info.firmware, type: DataType.String, value: facts.firmware }),
  signalMetric(facts.signalDbm),
]

/** How strongly it hears its network, by name: it is said seldom. */
export const signalMetric = (dbm: number): Metric => metric({ name: wire.info.signal, type: DataType.Int32, value: dbm })

/** Everything a device reports, with names, aliases and values; from here on only what changes is sent. */
export function deviceBirth({ plan, metrics }: SimulatedDevice, now: number): Metric[] {
  const text = (name: string, value: string) => metric({ name, type: DataType.String, value })
  return [
    text(wire.info.model, plan.model),
    text(wire.info.family, plan.family),
    text(wire.info.name, plan.name),
    ...metrics.flatMap((entry) => {
      // A recording belongs to its moment, and is not told again.
      if (entry.metric.when === 'recording') return []
      const value = entry.metric.read()
      entry.sent = value
      const { name, type } = entry.metric
      // A value that cannot be measured just now is announced as such: it will be told by its alias when it can.
      return value === null && entry.metric.when !== 'value'
        ? []
        : [metric({ name, alias: entry.alias, type, value, timestampMs: now })]
    }),
  ]
}

/**
 * What is due now, one list per line, so that a message is one line at one time: changed states, and with `values` every value and what was
 * recorded since.
 */
export function dueMetrics(device: SimulatedDevice, values: boolean, now: number): Metric[][] {
  const byLine = new Map<number, Metric[]>()
  // A detector that alarms tells what it alarms at with it.
  const withValues = values || (device.detector !== null && device.metrics.some(isNews))
  for (const entry of device.metrics) {
    const { metric: description, alias } = entry
    const { when, lineNo, type } = description
    if (when !== 'state' && !(when === 'value' && withValues) && !(when === 'recording' && values)) continue
    const value = description.read()
    if (when !== 'value' && (value === null || value === entry.sent)) continue
    if (when !== 'value') entry.sent = value
    const list = byLine.get(lineNo) ?? []
    // It was not announced at birth, so it goes by its name.
    list.push(metric({ ...(when === 'recording' ? { name: description.name } : { alias }), type, value, timestampMs: now }))
    byLine.set(lineNo, list)
  }
  return [...byLine.values()]
}

/** A breaker's contacts part this long after its release has operated. */
const openingMs = 20

/** What each line read when its protection operated, told once; it is of the past, and what stands now is another report. */
export function tripMetrics(device: SimulatedDevice, now: number): Metric[][] {
  return [...device.lines.values()].flatMap((line) => {
    const readings = line.tripReadings
    if (!readings) return []
    line.tripReadings = null
    return [
      device.metrics.flatMap(({ metric: { when, lineNo, type, readAt }, alias }) =>
        when === 'value' && lineNo === line.plan.lineNo && readAt
          ? [metric({ alias, type, value: readAt(readings), timestampMs: now - openingMs, isHistorical: true })]
          : [],
      ),
    ]
  })
}

/** Whether a state is another than was sent last. */
function isNews({ metric: { when, read }, sent }: SimulatedDevice['metrics'][number]): boolean {
  const value = when === 'state' ? read() : null
  return value !== null && value !== sent
}

/** Written settings, read back. By name: a setting that was not reported at birth has no alias the server knows. */
export const readBack = (device: SimulatedDevice, lineNo: number, keys: readonly string[], now: number): Metric[] =>
  device.metrics.flatMap(({ metric: { when, key, lineNo: at, name, type, read } }) => {
    const value = when === 'setting' && at === lineNo && key !== null && keys.includes(key) ? read() : null
    return value === null ? [] : [metric({ name, type, value, timestampMs: now })]
  })

/** The answer to a command. */
export function resultMetrics(id: string, status: string, reason: string, tripMs?: number): Metric[] {
  const text = (name: string, value: string) => metric({ name, type: DataType.String, value })
  return [
    text(wire.result.id, id),
    text(wire.result.status, status),
    text(wire.result.reason, reason),
    ...(tripMs === undefined ? [] : [metric({ name: wire.result.tripMs, type: DataType.Float, value: tripMs })]),
  ]
}
