import type { Family } from '@linewarden/equipment'
import type { LineRef } from '../../../plant/equipment.ts'
import type { LinkageValues } from './form-values.ts'
import { newAction, newCondition, newHours, newLinkage } from './form-values.ts'

export const templateKeys = ['smoke', 'gas', 'water', 'temperature', 'arc', 'offline', 'outOfHours'] as const
export type TemplateKey = (typeof templateKeys)[number]

/** More lines than a linkage has actions: a scene trips them all. */
export const maxTripped = 16

/** Alarms by which a template is started, the first that a family has. */
const alarmsOf: Partial<Readonly<Record<TemplateKey, readonly string[]>>> = {
  smoke: ['smoke.alarm'],
  gas: ['gas.high', 'gas.low'],
  water: ['water'],
  temperature: ['temperature.alarm', 'fire.temperature'],
  arc: ['arc'],
}

const alarmIn = (family: Family | null, key: TemplateKey): string | null =>
  alarmsOf[key]?.find((alarm) => family?.alarms.some((each) => each.key === alarm)) ?? null

const canTrip = ({ family }: LineRef): boolean => family?.actions.some(({ key }) => key === 'trip') ?? false
const currentOf = (family: Family | null): string | null =>
  family?.points.find(({ key, quantity }) => quantity === 'current' && key.startsWith('current'))?.key ?? null

/** The lines on which a template can begin: the detector, or the line that is watched. */
export function startsOf(key: TemplateKey, lines: readonly LineRef[]): readonly LineRef[] {
  if (key === 'offline') return lines.filter(({ line, family }) => line.LineNo === 0 || family?.level === 'line')
  if (key === 'outOfHours')
    return lines.filter(
      ({ line, family }) => line.RatedCurrentA !== null && currentOf(family) !== null && family?.level === 'line',
    )
  return lines.filter(({ family }) => alarmIn(family, key) !== null)
}

/**
 * The lines that a template trips: after smoke or gas all of the room, which is what stands behind the detector's gateway; else the line that
 * is watched. None: which line a detector watches is not known, and a person has to say it.
 */
export function trippedBy(key: TemplateKey, start: LineRef, lines: readonly LineRef[]): readonly LineRef[] {
  if (key === 'offline' || key === 'outOfHours') return []
  if (key === 'smoke' || key === 'gas')
    return lines.filter((each) => each.gateway.DeviceID === start.gateway.DeviceID && canTrip(each))
  return canTrip(start) ? [start] : []
}

/** A linkage that is complete but for what people want to change of it. */
export function fromTemplate(key: TemplateKey, name: string, start: LineRef, lines: readonly LineRef[]): LinkageValues {
  const LineID = String(start.line.LineID)
  const tripped = trippedBy(key, start, lines)
    .slice(0, maxTripped)
    .map(({ line }) => newAction({ Kind: 'trip', LineID: String(line.LineID) }))
  const raise = [newAction({ Kind: 'raise', LineID })]
  const Name = [...name].slice(0, 32).join('')
  if (key === 'offline') {
    const away = newCondition({ LineID, source: 'link link', Op: '=', Value: '0', ForS: '600' })
    return newLinkage({ Name, Conditions: [away], Actions: raise })
  }
  if (key === 'outOfHours') {
    const Value = String(Number(((start.line.RatedCurrentA ?? 0) * 0.1).toFixed(1)))
    const loaded = newCondition({ LineID, source: `point ${currentOf(start.family)}`, Op: '>', Value, ForS: '60' })
    return newLinkage({ Name, Conditions: [loaded], ActiveHours: [newHours()], Actions: raise })
  }
  const alarm = newCondition({ LineID, source: `alarm ${alarmIn(start.family, key)}`, Op: '=', Value: '1' })
  return newLinkage({ Name, Conditions: [alarm], Actions: tripped.length > 0 ? tripped : [newAction()] })
}
