import type { Problem } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Setting, Text } from '@linewarden/equipment'
import type { Condition, Reach } from '@linewarden/rules/control'
import { conditionsOf, interlockConditions, reachable } from '@linewarden/rules/control'
import type { Bypass, LineSettings, SettingProblem, SettingsKnown } from '@linewarden/rules/settings'
import { isUnreachable, reportingInterval, settingFault, validateOrder } from '@linewarden/rules/settings'
import { factsOf } from '../../field/orders/facts.ts'
import { gatewayInterlocks, refusalOf } from '../../field/orders/interlocks.ts'
import type { PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'

/** What a line must be for an order to leave: settings of its family, in range, and for a bypassed protection its expiry. */
export function validateOrderOf(
  line: PlantLine,
  order: { readonly wanted: Readonly<Record<string, number>>; readonly offUntil: number | null },
  known: SettingsKnown,
  now: number,
): readonly Bypass[] {
  const verdict = validateOrder(settingsOf(line), order, known, now)
  switch (verdict.kind) {
    case 'valid':
      return verdict.bypasses
    case 'invalid': {
      const foreign = verdict.problems.find(({ fault }) => fault === 'unknown')
      const problems = verdict.problems.map(problemOf)
      throw foreign
        ? new Refusal('setting unknown', { key: foreign.key }, problems)
        : new Refusal('setting out of range', {}, problems)
    }
    case 'expiryMissing':
      throw new Refusal('reason and expiry missing', {}, verdict.bypasses.map(bypassProblem))
    case 'nothingToRestore':
      throw new Refusal('nothing to restore')
  }
}

/** A line as its settings are validated. */
export const settingsOf = ({ device: { family, model }, ratedCurrentA, reported }: PlantLine): LineSettings => ({
  family,
  model,
  ratedCurrentA,
  reported,
})

/** Refuses while nobody could hear the order. */
export function refuseIfAway(gateway: PlantGateway, reach: Reach): void {
  const why = whyAway(gateway, reach)
  if (why) throw why
}

/** Why no order gets there now, before anything else is asked; null: it does. */
export function whyAway(gateway: PlantGateway, reach: Reach): Refusal | null {
  if (isUnreachable(gateway, reach)) return new Refusal('离线')
  const { why } = reachable(reach)
  return why && new Refusal('not reachable', { why })
}

/** The gate's conditions of a setting that are not met. Whose role may set is told by the call. */
export const settableBlocks = (
  line: PlantLine,
  reach: Reach,
  { shared }: { readonly shared: boolean },
  now: number,
): readonly Condition[] =>
  conditionsOf('set', factsOf(line, { reach, quietUntil: null }), { mayOperate: true, shared }, now).filter(({ met }) => !met)

/** How often a gateway reports bypasses nothing. */
export function validateInterval(seconds: number): readonly [] {
  if (settingFault(reportingInterval, seconds, '', null) === null) return []
  const { label, min, max, unit } = reportingInterval
  throw new Refusal('setting out of range', {}, [
    {
      Path: 'Seconds',
      Text: { zh: `${label.zh}应为 ${min}–${max} ${unit}`, en: `${label.en} must be ${min} to ${max} ${unit}` },
    },
  ])
}

/** A protection that comes back at its expiry makes the line safer, as a trip does, and waits for none of them. */
export function refuseUnlessSettable(line: PlantLine, reach: Reach, orderer: { readonly shared: boolean }, now: number): void {
  const blocks = settableBlocks(line, reach, orderer, now)
  if (blocks.length > 0) throw refusalOf('set', blocks)
}

/** A gateway's own setting changes what is known of all its lines, also of one that somebody works at or stands before. */
export function refuseUnlessFree(gateway: PlantGateway, now: number): void {
  const blocks = interlockConditions(gatewayInterlocks(gateway), now).filter(({ met }) => !met)
  if (blocks.length > 0) throw refusalOf('set', blocks)
}

/** A line of a device with three measured phases. */
export const isThreePhase = ({ family }: PlantDevice): boolean => family.points.some(({ phase }) => phase === 'B')

const problemOf = (problem: SettingProblem): Problem => ({ Path: `Settings.${problem.key}`, Text: wordsOf(problem) })

function wordsOf({ key, setting, fault, min, max }: SettingProblem): Text {
  if (!setting) return { zh: `该设备没有参数 ${key}`, en: `this equipment has no setting ${key}` }
  const { zh, en } = setting.label
  const unit = setting.unit === '' ? '' : ` ${setting.unit}`
  const most = inOf(setting)
  switch (fault) {
    case 'rated_current_unknown':
      return { zh: `${zh}：额定电流未知，无法确定范围`, en: `${en}: rated current unknown, so the range cannot be determined` }
    case 'off_step':
      return { zh: `${zh}应按 ${setting.step}${unit} 递进`, en: `${en} must be in steps of ${setting.step}${unit}` }
    default:
      return {
        zh: `${zh}应为 ${short(min)}–${short(max)}${unit}${most && `（${most}）`}`,
        en: `${en} must be ${short(min)} to ${short(max)}${unit}${most && ` (${most})`}`,
      }
  }
}

/** 1.1 x 63 is 69.3, and not all the digits the machine makes of it. */
const short = (figure: number | null): string => (figure === null ? '–' : String(Number(figure.toFixed(3))))

const inOf = ({ max }: Setting): string => (typeof max === 'number' ? '' : `${max.timesIn}In`)

const bypassProblem = ({ key, label }: Setting): Problem => ({
  Path: `Settings.${key}`,
  Text: { zh: `${label.zh}将失去保护作用`, en: `${label.en} would be effectively disabled` },
})
