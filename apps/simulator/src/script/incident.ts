import { placeOf } from '@linewarden/equipment'
import type { SimulatedDevice } from '../device.ts'

/**
 * A recorded incident: one JSON object a line, in the form of the JSON protocol's data messages (docs/wire-protocol.md), so that what was
 * recorded anywhere on the wire can be played again: `{"device":"BRK-7","time":1789000000000,"values":{"1/residual":19,"1/position":"open"}}`.
 */
export interface Frame {
  readonly device: string
  /** Unix ms. */
  readonly time: number
  readonly values: Readonly<Record<string, number | string>>
}

/** Reads an incident, in the order of its times. Throws one readable line for the first line that cannot be used. */
export function readIncident(text: string): readonly Frame[] {
  const frames = text
    .split('\n')
    .map((line, i) => [line.trim(), i + 1] as const)
    .filter(([line]) => line !== '')
    .map(([line, number]) => readFrame(line, number))
  if (frames.length === 0) throw new Error('the incident is empty')
  return frames.sort((a, b) => a.time - b.time)
}

export const writeIncident = (frames: readonly Frame[]): string => frames.map((frame) => `${JSON.stringify(frame)}\n`).join('')

function readFrame(line: string, number: number): Frame {
  const bad = (why: string) => new Error(`line ${number}: ${why}`)
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    throw bad('this is no JSON')
  }
  if (typeof read !== 'object' || read === null) throw bad('a message must have device, time and values')
  const { device, time, values } = read as Partial<Record<keyof Frame, unknown>>
  if (typeof device !== 'string' || device === '') throw bad('device is missing')
  if (typeof time !== 'number' || !Number.isFinite(time)) throw bad('time is missing (Unix ms)')
  if (typeof values !== 'object' || values === null) throw bad('values are missing')
  const taken: Record<string, number | string> = {}
  for (const [name, value] of Object.entries(values)) {
    const place = placeOf(name)
    if (place?.of !== 'point') continue
    if (typeof value !== 'number' && typeof value !== 'string') throw bad(`${name} must be a number or a word`)
    taken[name] = value
  }
  return { device, time, values: taken }
}

/** What a device reports now; `lineNo` picks one line of it. */
export function frameOf(device: SimulatedDevice, lineNo: number | null, time: number): Frame {
  const values: Record<string, number | string> = {}
  for (const { metric } of device.metrics) {
    const { name, when, key, lineNo: at } = metric
    if ((when !== 'value' && when !== 'state') || (lineNo !== null && at !== lineNo)) continue
    const value = metric.read()
    if (typeof value !== 'number') continue
    const state = device.family.states.find((each) => each.key === key)
    values[name] = state?.values[value]?.key ?? value
  }
  return { device: device.controllerId, time, values }
}

/** Makes a device say what a frame says, whatever its physics would be, until it is released. */
export function force(device: SimulatedDevice, frame: Frame): void {
  for (const [name, value] of Object.entries(frame.values)) {
    const place = placeOf(name)
    if (place?.of !== 'point') continue
    // The meter goes on by itself: a counter that jumps back would be counted as energy that never flowed.
    if (place.key === 'energy') continue
    const target = place.line === 0 ? device.detector : device.lines.get(place.line)
    if (!target) throw new Error(`${device.controllerId} has no line ${place.line}`)
    const state = device.family.states.find((each) => each.key === place.key)
    if (state) {
      const word = typeof value === 'number' ? state.values[value]?.key : value
      if (!state.values.some((each) => each.key === word)) throw new Error(`${place.key} has no value ${value}`)
      target.forcedStates.set(place.key, String(word))
    } else if (device.family.points.some((each) => each.key === place.key) && typeof value === 'number') {
      target.forced.set(place.key, value)
    } else throw new Error(`${device.family.label.en} has no ${place.key} that can be ${value}`)
  }
}

/** Physics takes over again. */
export function release(device: SimulatedDevice): void {
  for (const target of [device.detector, ...device.lines.values()]) {
    target?.forced.clear()
    target?.forcedStates.clear()
  }
}
