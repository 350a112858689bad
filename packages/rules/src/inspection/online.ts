import type { Family, Setting, Text } from '@linewarden/equipment'
import type { TestResult } from '../control/self-test.ts'
import { testDue } from '../control/self-test.ts'
import { isIneffective } from '../settings/bypass-kind.ts'
import { sameSetting } from '../settings/change.ts'
import { voltageBand } from '../settings/voltage-band.ts'

/** What an online round checks of each line, in this order. */
export const onlineChecks = [
  'link',
  'age',
  'clock',
  'position',
  'values',
  'band',
  'template',
  'selfTest',
  'alarms',
  'hazards',
  'firmware',
] as const
export type OnlineCheck = (typeof onlineChecks)[number]

export const onlineCheckNames: Readonly<Record<OnlineCheck, Text>> = {
  link: { zh: '在线', en: 'Link' },
  age: { zh: '数据时效', en: 'Age of values' },
  clock: { zh: '时钟', en: 'Clock' },
  position: { zh: '分合状态', en: 'Position' },
  values: { zh: '实测值', en: 'Values' },
  band: { zh: '定值范围', en: 'Set points' },
  template: { zh: '定值核对', en: 'Settings as ordered' },
  selfTest: { zh: '漏电自检', en: 'RCD test' },
  alarms: { zh: '未恢复报警', en: 'Open alarms' },
  hazards: { zh: '未消除隐患', en: 'Open hazards' },
  firmware: { zh: '网关固件', en: 'Gateway firmware' },
}

/** What is known of a line at this moment. Null is not known. */
export interface OnlineFacts {
  readonly family: Family
  readonly model: string
  readonly ratedA: number | null
  readonly link: 'never' | 'online' | 'stale' | 'offline'
  /** How often it reports; 0: when something changes. */
  readonly periodMs: number
  readonly receivedAt: number | null
  readonly clockGood: boolean | null
  readonly position: 'open' | 'closed' | null
  /** By slot; NaN is missing. */
  readonly values: Float64Array
  readonly settings: ReadonlyMap<string, number>
  readonly ordered: ReadonlyMap<string, number>
  readonly selfTest: {
    readonly last: { readonly at: number; readonly result: TestResult } | null
    readonly enabled: boolean
    readonly everyDays: number
  }
  readonly alarms: readonly Text[]
  readonly hazards: readonly Text[]
  readonly firmwareWithdrawn: boolean | null
}

export interface OnlineFinding {
  readonly check: OnlineCheck
  /** What is not known is not a defect, and not in order either. */
  readonly grade: 'defect' | 'unknown'
  readonly text: Text
}

type Found = readonly Omit<OnlineFinding, 'check'>[]

const defect = (zh: string, en: string): Found => [{ grade: 'defect', text: { zh, en } }]
const unknown = (zh: string, en: string): Found => [{ grade: 'unknown', text: { zh, en } }]
const fine: Found = []

/** So many periods without a value, and what is shown is not how it is. */
const periodsMissed = 3
const shown = (value: number): string => String(Number(value.toFixed(1)))
const joined = (texts: readonly Text[]): Text => ({
  zh: texts.map(({ zh }) => zh).join('、'),
  en: texts.map(({ en }) => en).join(', '),
})

const checks: Readonly<Record<OnlineCheck, (facts: OnlineFacts, now: number) => Found>> = {
  link({ link }) {
    if (link === 'online') return fine
    if (link === 'never') return unknown('从未上报', 'It has never reported')
    return link === 'offline' ? defect('离线', 'Offline') : defect('数据过期', 'It has not reported in time')
  },
  age({ link, periodMs, receivedAt }, now) {
    if (receivedAt === null) return unknown('没有收到数据', 'No values were received')
    // Whoever reports only what changes is judged by its link.
    if (periodMs === 0)
      return link === 'online' ? fine : unknown('离线，数据不是当前值', 'Not in touch: its values are not of now')
    if (now - receivedAt <= periodsMissed * periodMs) return fine
    const seconds = Math.round((now - receivedAt) / 1_000)
    return defect(`数据是 ${seconds} 秒前的`, `Its values are ${seconds} s old`)
  },
  clock({ clockGood }) {
    if (clockGood === null) return unknown('时钟状态未上报', 'Whether its clock is right is not reported')
    return clockGood ? fine : defect('时钟未同步', 'Clock not synchronised')
  },
  position({ family, position }) {
    if (!family.states.some(({ key }) => key === 'position')) return fine
    return position === null ? unknown('分合状态未知', 'Position not known') : fine
  },
  values: valuesAgainstLimits,
  band: setPoints,
  template({ family, settings, ordered }) {
    const otherwise = family.settings.flatMap((setting) => {
      const [wanted, is] = [ordered.get(setting.key), settings.get(setting.key)]
      return wanted !== undefined && is !== undefined && !sameSetting(wanted, is) ? [settingText(setting, is, wanted)] : []
    })
    if (otherwise.length > 0) {
      const { zh, en } = joined(otherwise)
      return defect(`定值与下发值不同：${zh}`, `Set otherwise than ordered: ${en}`)
    }
    const isUnread = [...ordered.keys()].some((key) => !settings.has(key))
    return isUnread ? unknown('下发的定值未上报', 'What was ordered is not reported') : fine
  },
  selfTest({ family, selfTest: { last, enabled, everyDays } }, now) {
    if (!family.actions.some(({ measures }) => measures === 'tripMs')) return fine
    if (last?.result === 'failed') return defect('漏电自检不合格', 'RCD test failed')
    if (!enabled) return fine
    if (last === null) return defect('从未做过漏电自检', 'The RCD was never tested')
    return testDue(last, { enabled, everyDays }, now).overdue ? defect('漏电自检逾期', 'RCD test overdue') : fine
  },
  alarms({ alarms }) {
    if (alarms.length === 0) return fine
    const { zh, en } = joined(alarms)
    return defect(`报警未恢复：${zh}`, `Alarms still active: ${en}`)
  },
  hazards({ hazards }) {
    if (hazards.length === 0) return fine
    const { zh, en } = joined(hazards)
    return defect(`隐患未消除：${zh}`, `Hazards still open: ${en}`)
  },
  firmware({ firmwareWithdrawn }) {
    if (firmwareWithdrawn === null) return unknown('固件版本未上报', 'The firmware is not reported')
    return firmwareWithdrawn ? defect('网关固件已撤回', 'The firmware of its gateway was withdrawn') : fine
  },
}

const settingText = ({ label, unit }: Setting, is: number, wanted: number): Text => ({
  zh: `${label.zh} ${shown(is)} ${unit}（下发 ${shown(wanted)}）`,
  en: `${label.en} ${shown(is)} ${unit} (ordered ${shown(wanted)})`,
})

/** Against the set points that the equipment itself has; what those are is another check. */
function valuesAgainstLimits({ family, model, ratedA, values, settings, receivedAt }: OnlineFacts): Found {
  // That nothing was received is said once, by the age of its values.
  if (receivedAt === null) return fine
  const band = voltageBand(model)
  const outside = family.points.flatMap((point): Text[] => {
    const value = values[point.slot] ?? Number.NaN
    if (Number.isNaN(value)) return []
    const limit = limitOf(point.quantity, { settings, ratedA, band })
    if (!limit || (value <= limit.max && value >= limit.min)) return []
    const bound = value > limit.max ? limit.max : limit.min
    return [
      {
        zh: `${point.label.zh} ${shown(value)} ${point.unit}，限 ${shown(bound)}`,
        en: `${point.label.en} ${shown(value)} ${point.unit}, limit ${shown(bound)}`,
      },
    ]
  })
  if (outside.length > 0) {
    const { zh, en } = joined(outside)
    return defect(zh, en)
  }
  const missing = family.points.filter(({ slot }) => Number.isNaN(values[slot] ?? Number.NaN))
  return missing.length > 0
    ? unknown(
        `未上报：${joined(missing.map(({ label }) => label)).zh}`,
        `Not reported: ${joined(missing.map(({ label }) => label)).en}`,
      )
    : fine
}

interface Limits {
  readonly settings: ReadonlyMap<string, number>
  readonly ratedA: number | null
  readonly band: ReturnType<typeof voltageBand>
}

function limitOf(quantity: string, { settings, ratedA, band }: Limits): { readonly min: number; readonly max: number } | null {
  const [none, any] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const upTo = (max: number | null | undefined) => (max === null || max === undefined || max <= 0 ? null : { min: none, max })
  switch (quantity) {
    case 'current':
      return upTo(ratedA)
    case 'residual':
      return upTo(settings.get('leakage.trip'))
    case 'temperature':
      return upTo(settings.get('temperature.alarm'))
    case 'voltage':
      return band.under[1] < band.over[0] ? { min: band.under[1], max: band.over[0] } : null
    case 'battery':
      return { min: 20, max: any }
    default:
      return null
  }
}

function setPoints({ family, model, ratedA, settings }: OnlineFacts): Found {
  const band = voltageBand(model)
  const wrong = family.settings.flatMap((setting): Text[] => {
    const value = settings.get(setting.key)
    if (value === undefined) return []
    const named = {
      zh: `${setting.label.zh} ${shown(value)} ${setting.unit}`,
      en: `${setting.label.en} ${shown(value)} ${setting.unit}`,
    }
    if (isIneffective(setting, value, { model, ratedCurrentA: ratedA }))
      return [{ zh: `${named.zh}，等于不保护`, en: `${named.en}: it hardly protects` }]
    if (!setting.voltageBand) return []
    const [min, max] = band[setting.voltageBand]
    return value >= min && value <= max
      ? []
      : [{ zh: `${named.zh}，应在 ${min}–${max}`, en: `${named.en}, should be ${min}–${max}` }]
  })
  if (wrong.length > 0) {
    const { zh, en } = joined(wrong)
    return defect(zh, en)
  }
  const unread = family.settings.filter(({ key }) => !settings.has(key))
  return unread.length > 0
    ? unknown(
        `定值未上报：${joined(unread.map(({ label }) => label)).zh}`,
        `Settings not reported: ${joined(unread.map(({ label }) => label)).en}`,
      )
    : fine
}

/** Everything that an online round finds on a line. It reads; it operates, sets and locks nothing. */
export const checkOnline = (facts: OnlineFacts, now: number): readonly OnlineFinding[] =>
  onlineChecks.flatMap((check) => checks[check](facts, now).map((found) => ({ check, ...found })))

/** What a line comes to. */
export const gradeOf = (findings: readonly OnlineFinding[]): 'ok' | 'defect' | 'unknown' =>
  findings.some(({ grade }) => grade === 'defect') ? 'defect' : findings.length > 0 ? 'unknown' : 'ok'
