import { Refusal } from '@linewarden/contract'
import type { CommandAction, SettingFault } from '@linewarden/rules'
import { settingFault, settingRange } from '@linewarden/rules'
import type { StateReport } from '../../live/hub.ts'
import type { PlantLine } from '../../live/plant.ts'
import type { StoredCommand } from '../../store/command.ts'

/** What proves a command that is no switching: the state its family names, or the settings as the equipment reports them. */

type Settings = Readonly<Record<string, number>>

/** Proven by a position. */
export const isSwitching = (action: CommandAction): action is 'trip' | 'close' => action === 'trip' || action === 'close'

/** What a report says about a command; null when it is not about it at all. */
export function whatItSays(command: StoredCommand, report: StateReport): { proves: boolean; fails: string | null } | null {
  const { action, settings } = command
  if (isSwitching(action)) return null
  if (action === 'set') {
    if (report.of !== 'setting' || settings?.[report.key] === undefined) return null
    return { proves: Object.entries(settings).every(([key, value]) => same(report.line.reported.get(key), value)), fails: null }
  }
  const proof = report.line.device.family.actions.find(({ key }) => key === action)?.confirmedBy
  if (report.of !== 'state' || report.key !== proof?.state) return null
  // A self-test that was done and failed is done.
  const fails = action === 'selfTest' && report.value === 'failed' ? 'self_test_failed' : null
  return { proves: report.value === proof.value, fails }
}

/** A setting travels in single precision. */
const same = (reported: number | undefined, wanted: number): boolean =>
  reported !== undefined && Math.fround(reported) === Math.fround(wanted)

export const sameSettings = (a: Settings, b: Settings): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([key, value]) => b[key] === value)

/** What was reported before, for the audit log. */
export const reportedOf = (line: PlantLine, settings: Settings): Record<string, number | null> =>
  Object.fromEntries(Object.keys(settings).map((key) => [key, line.reported.get(key) ?? null]))

/** Every setting that the equipment may not have, all at once. */
export function refuseBadSettings(line: PlantLine, settings: Settings): void {
  const { family, model } = line.device
  const problems = Object.entries(settings).flatMap(([key, value]) => {
    const setting = family.settings.find((each) => each.key === key)
    const fault = setting ? settingFault(setting, value, model, line.ratedCurrentA) : 'unknown'
    if (fault === null) return []
    const range = setting ? settingRange(setting, model, line.ratedCurrentA) : { min: null, max: null }
    return [{ Path: `body.Settings.${key}`, Text: wordsOf(fault, range, setting?.step ?? null, setting?.unit ?? '') }]
  })
  if (problems.length > 0) throw new Refusal('invalid parameter', {}, problems)
  if (Object.keys(settings).length === 0) {
    const text = { zh: '至少填写一个参数', en: 'must name at least one setting' }
    throw new Refusal('invalid parameter', {}, [{ Path: 'body.Settings', Text: text }])
  }
}

function wordsOf(
  fault: SettingFault | 'unknown',
  { min, max }: { min: number | null; max: number | null },
  step: number | null,
  unit: string,
) {
  switch (fault) {
    case 'unknown':
      return { zh: '该设备没有这个参数', en: 'is no setting of this equipment' }
    case 'rated_current_unknown':
      return { zh: '额定电流未知，无法确定范围', en: 'cannot be set while the rated current is not known' }
    case 'off_step':
      return { zh: `步长应为 ${step}${unit}`, en: `must go in steps of ${step} ${unit}`.trim() }
    default:
      return { zh: `应在 ${min}～${max}${unit} 之间`, en: `must be ${min} to ${max} ${unit}`.trim() }
  }
}
