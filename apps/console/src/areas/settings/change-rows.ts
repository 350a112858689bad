import type { LineSettings } from '@linewarden/contract'
import type { Setting } from '@linewarden/equipment'
import i18next from 'i18next'
import type { LineRef } from '../../plant/equipment.ts'
import { localised as inWords } from '../../ui/i18n.ts'
import { withUnit } from './values.ts'

/** One setting that is about to be sent, in words. */
export interface ChangeRow {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Whether the protection will hardly protect any more, on one of the lines at least. */
  readonly isBypass: boolean
}

/** Where it is sent to: the name of a line or gateway, and where that stands. */
export interface ChangeTarget {
  readonly name: string
  readonly place: readonly string[]
}

/** What changes on these lines, from what they report now. */
export const changeRows = (
  settings: readonly Setting[],
  lines: readonly LineSettings[],
  wanted: Readonly<Record<string, number>>,
  bypassed: ReadonlySet<Setting>,
): readonly ChangeRow[] =>
  settings.flatMap((setting) => {
    const to = wanted[setting.key]
    if (to === undefined) return []
    const reported = lines.map(({ Settings }) => Settings.find(({ Key }) => Key === setting.key)?.Reported ?? null)
    return [
      {
        name: inWords(setting.label),
        from: together(setting, reported),
        to: withUnit(setting, to),
        isBypass: bypassed.has(setting),
      },
    ]
  })

/** One value where all have the same, else from the lowest to the highest; what is not known is said beside it. */
function together(setting: Setting, reported: readonly (number | null)[]): string {
  const known = reported.filter((value): value is number => value !== null)
  if (known.length === 0) return withUnit(setting, null)
  const [low, high] = [withUnit(setting, Math.min(...known)), withUnit(setting, Math.max(...known))]
  const range = low === high ? low : i18next.t('settings:fromTo', { low, high })
  return known.length === reported.length ? range : i18next.t('settings:someUnknown', { range })
}

export const targetAt = ({ project, gateway, device, line }: LineRef): ChangeTarget => ({
  name: line.LineName,
  place: [project.Name, gateway.GatewayName, device.Name, ...(line.LineNo > 0 ? [`#${line.LineNo}`] : [])],
})
