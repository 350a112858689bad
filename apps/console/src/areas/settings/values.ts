import type { LineSettings, SettingState, SettingTemplate } from '@linewarden/contract'
import type { Family, Setting } from '@linewarden/equipment'
import { bypassKind, isSwitch, sameSetting, settingFault } from '@linewarden/rules/settings'
import i18next from 'i18next'
import { localised as inWords } from '../../ui/i18n.ts'

/** Where a setting stands in the form. */
export type SettingGroup = 'overload' | 'voltage' | 'residual' | 'temperature' | 'other'

export function groupOf({ key }: Setting): SettingGroup {
  const [first = ''] = key.split('.')
  if (first === 'overload' || first === 'temperature') return first
  if (first === 'overvoltage' || first === 'undervoltage') return 'voltage'
  return first === 'leakage' || first === 'residual' ? 'residual' : 'other'
}

/** A value as people write it: 69.3, not every digit the machine makes of 1.1 x 63. */
export const shown = (value: number | null): string => (value === null ? '–' : String(Number(value.toFixed(3))))

/** The same with its unit; a switch says on or off. */
export function withUnit(setting: Setting, value: number | null): string {
  if (value === null) return '–'
  if (isSwitch(setting)) return i18next.t(value === 0 ? 'settings:off' : 'settings:on')
  return setting.unit === '' ? shown(value) : `${shown(value)} ${setting.unit}`
}

/** What stands in the field before anybody writes: what is on its way, else what is desired, else what is reported. */
export function presentOf({ Key, Desired, Reported }: SettingState, { UnderWay }: LineSettings): number | null {
  return UnderWay?.Settings.find((each) => each.Key === Key)?.Wanted ?? Desired ?? Reported
}

/** Reads a field; NaN for what is no number. */
export const numberIn = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text.trim()))

/** What is wrong with what somebody wrote, in words; null when the line may have it. */
export function faultOf(setting: Setting, state: SettingState, value: number, line: LineSettings): string | null {
  const fault = settingFault(setting, value, line.Model, line.RatedCurrentA)
  const { unit, step, max } = setting
  switch (fault) {
    case null:
      return null
    case 'no_number':
      return i18next.t('settings:number')
    case 'rated_current_unknown':
      return i18next.t('settings:ratedUnknown')
    case 'off_step':
      return i18next.t('settings:step', { step, unit })
    default: {
      const range = { min: shown(state.Min), max: shown(state.Max), unit }
      return typeof max === 'number'
        ? i18next.t('settings:mustBe', range)
        : i18next.t('settings:mustBeIn', { ...range, times: max.timesIn })
    }
  }
}

/** Settings that would hardly protect any more with these values. */
export const bypassedBy = (family: Family, line: LineSettings, wanted: Readonly<Record<string, number>>): readonly Setting[] =>
  family.settings.filter((setting) => {
    const value = wanted[setting.key]
    const state = line.Settings.find(({ Key }) => Key === setting.key)
    const presentValue = state?.Off?.Former ?? state?.Reported ?? null
    return (
      value !== undefined &&
      bypassKind(setting, value, { model: line.Model, ratedCurrentA: line.RatedCurrentA, presentValue }) !== null
    )
  })

/** What was written and differs from what stands there, as numbers. */
export function draftOf(line: LineSettings, texts: Readonly<Record<string, string>>): Record<string, number> {
  const out: Record<string, number> = {}
  for (const state of line.Settings) {
    const text = texts[state.Key]
    if (text === undefined) continue
    const value = numberIn(text)
    const present = presentOf(state, line)
    if (present !== null && sameSetting(value, present)) continue
    out[state.Key] = value
  }
  return out
}

/** The values of a template in one line, in the order of the form. */
export function templateText(family: Family, settings: SettingTemplate['Settings']): string {
  const values = new Map(settings.map(({ Key, Value }) => [Key, Value]))
  return family.settings
    .flatMap((setting) => {
      const value = values.get(setting.key)
      return value === undefined ? [] : [`${inWords(setting.label)} ${withUnit(setting, value)}`]
    })
    .join(' · ')
}
