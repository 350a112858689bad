import type { Family } from './family.ts'

/**
 * How the thing models of operators' platforms name what a detector reports. A platform's identifiers hold no dots, so each of our keys goes by
 * itself with an underscore (`smoke.alarm` is `smoke_alarm`), and by the names that such models use for the same thing with the same codes.
 * A new name is a line here.
 */
const alsoCalled: Readonly<Record<string, readonly string[]>> = {
  battery: ['battery_value', 'battery_level'],
  signal: ['rsrp'],
  temperature: ['temp'],
  smoke: ['smoke_value'],
  gas: ['gas_value'],
  'smoke.alarm': ['smoke_state'],
  'gas.alarm': ['gas_sensor_state'],
  water: ['water_state'],
  tamper: ['tamper_state'],
}

const plain = (identifier: string): string => identifier.toLowerCase().replaceAll('.', '_')

const namesOf = new WeakMap<Family, ReadonlyMap<string, string>>()

/** The metric that a platform's identifier means on a device of this family; null when it means none. */
export function metricOfPushed(family: Family, identifier: string): string | null {
  const names = namesOf.get(family) ?? namesFor(family)
  return names.get(plain(identifier)) ?? null
}

function namesFor(family: Family): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  for (const { key } of [...family.points, ...family.states])
    for (const name of [key, ...(alsoCalled[key] ?? [])]) names.set(plain(name), key)
  for (const { key } of family.settings) names.set(`settings_${plain(key)}`, `settings/${key}`)
  namesOf.set(family, names)
  return names
}

/** Whether a family can come by a platform's push: one device is one detector, without lines of its own. */
export const canBePushed = (family: Family): boolean => family.level === 'device'
