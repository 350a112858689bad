import type { Problem } from '@linewarden/contract'
import { Refusal } from '@linewarden/contract'
import type { Setting, Text } from '@linewarden/equipment'
import type { Condition, Reach } from '@linewarden/rules/control'
import { conditionsOf, reachable } from '@linewarden/rules/control'
import type { SettingProblem } from '@linewarden/rules/settings'
import { effectiveSetting, hardlyProtects, offUntilGood, settingProblems, weakening } from '@linewarden/rules/settings'
import { factsOf } from '../../field/orders/facts.ts'
import type { PlantDevice, PlantGateway, PlantLine } from '../../plant/plant.ts'
import type { StoredChange, Weakened } from '../../store/settings/setting-change.ts'

type Wanted = Readonly<Record<string, number>>

/** What is known of a line's settings beyond what it reports. */
interface Standing {
  /** What is to come back of protections that are off or weak already: it is what stands there. */
  readonly waiting: ReadonlyMap<string, number>
  /** What an order with an unknown outcome may have set: the line has not reported since, so what stands there is not known. */
  readonly doubtful: ReadonlySet<string>
}

/** What a line must be for an order to leave: settings of its family, in range, and for a weakened protection the time it comes back. */
export function judgeOrder(
  line: PlantLine,
  { wanted, offUntil }: { readonly wanted: Wanted; readonly offUntil: number | null },
  { waiting, doubtful }: Standing,
  now: number,
): readonly Weakened[] {
  const { family, model } = line.device
  const { ratedCurrentA } = line
  const problems = settingProblems({ family, model, ratedCurrentA }, wanted)
  const foreign = problems.find(({ fault }) => fault === 'unknown')
  if (foreign) throw new Refusal('setting unknown', { key: foreign.key }, problems.map(problemOf))
  if (problems.length > 0) throw new Refusal('setting out of range', {}, problems.map(problemOf))
  const weakened = family.settings.filter((setting) => {
    const value = wanted[setting.key]
    const reported = doubtful.has(setting.key) ? null : (line.reported.get(setting.key) ?? null)
    const standing = waiting.get(setting.key) ?? reported
    return value !== undefined && weakening(setting, value, { model, ratedCurrentA, standing }) !== null
  })
  if (weakened.length === 0) return []
  if (offUntil === null || !offUntilGood(offUntil, now))
    throw new Refusal('reason and expiry missing', {}, weakened.map(weakenedProblem))
  return weakened.map((setting) => ({ key: setting.key, former: waiting.get(setting.key) ?? formerOf(line, setting) }))
}

/**
 * Whether an order that was let through because a protection was weak already would weaken it now: somebody has set it in between, and nothing
 * would bring it back. What was weakened with an expiry has its former value kept, and may go.
 */
export function weakensByNow(
  { device: { family, model }, ratedCurrentA, reported }: PlantLine,
  { wanted, former, offUntil }: Pick<StoredChange, 'wanted' | 'former' | 'offUntil'>,
): boolean {
  const line = { model, ratedCurrentA }
  return family.settings.some((setting) => {
    const value = wanted[setting.key]
    const before = former[setting.key] ?? null
    const comesBack = offUntil !== null && !(before !== null && hardlyProtects(setting, before, line))
    const standing = reported.get(setting.key) ?? null
    return value !== undefined && !comesBack && weakening(setting, value, { ...line, standing }) !== null
  })
}

/** What comes back at the expiry: as reported, or what the equipment is made with. Never a value that is itself a weakened one. */
function formerOf({ device: { model }, ratedCurrentA, reported }: PlantLine, setting: Setting): number {
  const now = reported.get(setting.key)
  const protects = (value: number) => !hardlyProtects(setting, value, { model, ratedCurrentA })
  if (now !== undefined && protects(now)) return now
  const usual = effectiveSetting(setting, null, model, ratedCurrentA)
  if (usual === null || !protects(usual)) throw new Refusal('nothing to restore')
  return usual
}

/** Refuses while nobody could hear the order. */
export function refuseIfAway(gateway: PlantGateway, reach: Reach): void {
  const why = whyAway(gateway, reach)
  if (why) throw why
}

/** Why no order gets there now, before anything else is asked; null: it does. */
export function whyAway({ link, disabled }: PlantGateway, reach: Reach): Refusal | null {
  if (disabled || (link !== 'online' && reach !== 'push_only')) return new Refusal('离线')
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

const weakenedProblem = ({ key, label }: Setting): Problem => ({
  Path: `Settings.${key}`,
  Text: { zh: `${label.zh}将失去保护作用`, en: `${label.en} would be effectively disabled` },
})
