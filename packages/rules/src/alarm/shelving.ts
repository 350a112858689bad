import type { Priority } from '@linewarden/equipment'
import { families } from '@linewarden/equipment'
import type { AlarmState } from './lifecycle.ts'
import { isShelved } from './lifecycle.ts'

/** So often an alarm of one place is shelved within a day: after that it is work for somebody. */
export const maxShelvings = 3
export const shelvingsWithinMs = 24 * 60 * 60_000

let dangers: ReadonlySet<string> | null = null

/** Fire, gas and arc, by their keys. */
export const dangerKeys = (): ReadonlySet<string> => {
  dangers ??= new Set(
    families.flatMap(({ alarms }) => alarms.flatMap(({ key, danger, latching }) => (danger || latching ? [key] : []))),
  )
  return dangers
}

/** Never shelved, suppressed or hidden, whatever hangs on its place. */
export const isDanger = (key: string): boolean => dangerKeys().has(key)

/** What stands against shelving an alarm. */
export const shelveRefusals = ['over', 'danger', 'administrators', 'alreadyShelved', 'tooOften'] as const
export type ShelveRefusal = (typeof shelveRefusals)[number]

interface Shelvable {
  readonly key: string
  readonly priority: Priority
  readonly state: AlarmState | null
  /** Unix ms; null: it is not on the shelf. */
  readonly shelvedUntil: number | null
  /** How often it was shelved on its place within the last day. */
  readonly shelvings: number
}

/** The first reason against shelving an alarm; null: there is none. */
export function refusalToShelve(alarm: Shelvable, byAdministrator: boolean, now: number): ShelveRefusal | null {
  if (alarm.state === null || alarm.state === 'normal') return 'over'
  if (isDanger(alarm.key)) return 'danger'
  if (alarm.priority === 'critical' && !byAdministrator) return 'administrators'
  if (isShelved(alarm.shelvedUntil, now)) return 'alreadyShelved'
  return alarm.shelvings >= maxShelvings ? 'tooOften' : null
}
