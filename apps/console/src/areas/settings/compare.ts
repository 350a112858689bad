import type { LineSettings } from '@linewarden/contract'
import type { Family, Setting } from '@linewarden/equipment'
import { sameSetting } from '@linewarden/rules/settings'

/** What a line is compared with: a template, or what another line reports. */
export interface Counterpart {
  readonly name: string
  /** By the settings' keys. */
  readonly values: ReadonlyMap<string, number | null>
  /** A template may name some settings only; what it does not name is not different. */
  readonly isTemplate: boolean
}

/** One setting of the line beside the counterpart's. */
export interface Comparison {
  readonly setting: Setting
  readonly own: number | null
  readonly their: number | null
  readonly same: boolean
}

/** Every setting of the line beside the counterpart's; without one there is nothing to compare. */
export function compare(family: Family, line: LineSettings, other: Counterpart | null): readonly Comparison[] {
  if (other === null) return []
  return family.settings.map((setting) => {
    const mine = line.Settings.find(({ Key }) => Key === setting.key)
    const own = mine?.Reported ?? mine?.Desired ?? null
    const their = other.values.get(setting.key) ?? null
    const same = own !== null && their !== null ? sameSetting(own, their) : own === their
    return { setting, own, their, same: same || (other.isTemplate && !other.values.has(setting.key)) }
  })
}

/** What would make the line the same, by key; what is not known of the counterpart is not in it. */
export const differingValues = (comparisons: readonly Comparison[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    comparisons.flatMap(({ setting, their, same }) => (same || their === null ? [] : [[setting.key, their] as const])),
  )
