import { familyOf, familyOfModel, placeOf, wire } from '@linewarden/equipment'
import type { Alias } from '@linewarden/sparkplug'
import { isDeviceId } from '@linewarden/sparkplug'
import { cutText } from '../../lib/storable-text.ts'
import type { DeviceBirth } from '../../store/ingest/device-birth.ts'

/** A metric as births carry it, from either protocol. */
export interface NamedValue {
  readonly name: string
  readonly alias: Alias | null
  /** Sparkplug's datatype. */
  readonly type?: number
  readonly value: number | boolean | string | null
  /** Unix ms. */
  readonly at: number
  readonly historical: boolean
}

/** Slower than once a month no detector says that it lives. */
const maxPeriodS = 31 * 86_400

/** One gateway has no more; whoever needs more uses another gateway. */
export const maxDevices = 256
/** The same for the lines of all its devices together. */
export const maxLines = 4_096

/** Why there is no room for a device behind a gateway with so many others; null: there is. */
export function noRoomFor(birth: DeviceBirth, others: readonly { readonly lines: { readonly size: number } }[]) {
  const lines = others.reduce((sum, each) => sum + each.lines.size, birth.lines.length)
  if (others.length >= maxDevices)
    return {
      reason: 'too_many_devices',
      detail: `the gateway has ${others.length} devices already; at most ${maxDevices} are taken`,
    } as const
  if (lines > maxLines)
    return { reason: 'too_many_lines', detail: `the gateway would have ${lines} lines; at most ${maxLines} are taken` } as const
  return null
}

/** Reads a device's birth; a string says why it cannot be taken. */
export function readDeviceBirth(wireId: string, values: readonly NamedValue[]): DeviceBirth | string {
  if (!isDeviceId(wireId)) return `its id has ${wireId.length} characters; at most 128 are taken`
  const byName = new Map(values.map((each) => [each.name, each.value]))
  const text = (name: string) => {
    const value = byName.get(name)
    return typeof value === 'string' && value !== '' ? cutText(value, 200) : null
  }
  const model = text(wire.info.model)
  const named = text(wire.info.family)
  const family = (named === null ? null : familyOf(named)) ?? (model === null ? null : familyOfModel(model))
  if (!family) return `no family is known for model ${model ?? '(none)'} and family ${named ?? '(none)'}`
  const numbers = family.level === 'device' ? [0] : lineNumbers(values)
  if (numbers.length === 0) return 'a device of this family must be born with at least one line'
  if (numbers.length > 256) return `${numbers.length} lines on one device; at most 256 are taken`
  const period = byName.get(wire.info.reportingPeriod)
  return {
    wireId,
    family,
    reportingPeriodMs: typeof period === 'number' && period >= 0 && period <= maxPeriodS ? Math.round(period * 1000) : null,
    model: model ?? family.models[0] ?? '',
    name: text(wire.info.name),
    firmware: text(wire.info.firmware),
    lines: numbers.map((lineNo) => {
      const rated = byName.get(lineNo === 0 ? wire.info.ratedCurrent : `${lineNo}/${wire.info.ratedCurrent}`)
      return {
        lineNo,
        name: text(lineNo === 0 ? wire.info.name : `${lineNo}/${wire.info.name}`),
        ratedCurrentA: typeof rated === 'number' && rated > 0 && rated < 100_000 ? rated : null,
      }
    }),
  }
}

function lineNumbers(values: readonly NamedValue[]): number[] {
  const found = new Set<number>()
  for (const { name } of values) {
    const place = placeOf(name)
    if (place && place.of !== 'result' && place.line > 0) found.add(place.line)
  }
  return [...found].sort((a, b) => a - b)
}
