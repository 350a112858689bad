import { Refusal } from '@linewarden/contract'
import type { CommandFact, SettingFault } from '@linewarden/rules'
import { settingFault, settingRange, weakening } from '@linewarden/rules'
import type { ReadBack, StateReport } from '../../live/hub.ts'
import type { PlantLine } from '../../live/plant.ts'
import type { StoredCommand } from '../../store/command.ts'

/** What proves a command that is no switching: the state its family names, or the settings as the equipment reports them. */

type Settings = Readonly<Record<string, number>>

/** Whether a reported state says something about a command, and what. */
export function factOfState({ action }: StoredCommand, report: StateReport): CommandFact | null {
  const { line, state, value, deviceAt, receivedAt: at } = report
  if (state === 'position') return value === 'open' || value === 'closed' ? { kind: 'position', value, deviceAt, at } : null
  const done = line.device.family.actions.find(({ key }) => key === action)
  // Where the equipment measures, only the figure proves success: "passed" may be the outcome of an earlier test.
  if (done?.measures !== undefined) return value === 'passed' ? null : { kind: 'state', state, value, deviceAt, at }
  if (state !== done?.confirmedBy.state) return null
  const isTest = action === 'selfTest'
  // A self-test that was done and failed is done.
  const fails = isTest && value === 'failed' ? 'self_test_failed' : null
  return { kind: 'report', proves: value === done.confirmedBy.value, fails, ...(isTest && { afterAnswer: true }), deviceAt, at }
}

/** What a reported setting says about a command; null when it is not about it at all. */
export function factOfReadBack({ lineId, settings }: StoredCommand, readBack: ReadBack): CommandFact | null {
  const { line, key, deviceAt, receivedAt: at } = readBack
  if (line === null || line.id !== lineId || settings?.[key] === undefined) return null
  const proves = Object.entries(settings).every(([each, value]) => same(line.reported.get(each), value))
  return { kind: 'report', proves, fails: null, deviceAt, at }
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
  // The family calls carry no time at which a protection comes back: such an order is for the settings calls.
  const weakens = family.settings.some((setting) => {
    const value = settings[setting.key]
    return value !== undefined && weakening(setting, value, model, line.ratedCurrentA) !== null
  })
  if (weakens) throw new Refusal('reason and expiry missing')
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
