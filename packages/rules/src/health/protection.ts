import type { Setting } from '@linewarden/equipment'
import { dayMs } from '@linewarden/equipment'
import { selfTestEveryDays, testDue } from '../control/self-test.ts'
import { isIneffective, isSwitch } from '../settings/bypass-kind.ts'
import { sameSetting } from '../settings/change.ts'
import { voltageBand } from '../settings/voltage-band.ts'
import type { CheckOutcome, Deduction, HealthCheck } from './check.ts'
import { ours, plain, shownFigure } from './check.ts'
import type { HealthFacts } from './facts.ts'

const specification9 = { zh: '规格书第 9 节', en: 'Specification 9' }
/** Beyond this the overload release lets a line carry more than its breaker is made for all day. */
const overloadShare = 1.1
/** At most so for people, and at least so where it guards against fire: between them it does neither. */
const [personsMa, fireMa] = [30, 300] as const
const orderedMost = 4
const orderedEach = 2

const settingOf = ({ family }: HealthFacts, key: string): Setting | undefined => family.settings.find((each) => each.key === key)

/** A set point against the band of its model, both ends included (specification 9). */
function outsideVoltageBand(facts: HealthFacts, side: 'over' | 'under'): CheckOutcome {
  const setting = facts.family.settings.find(({ voltageBand }) => voltageBand === side)
  if (!setting) return 'notApplicable'
  const value = facts.settings.get(setting.key)
  if (value === undefined) return 'notExamined'
  const [min, max] = voltageBand(facts.model)[side]
  if (value >= min && value <= max) return []
  const [zh, en] = side === 'over' ? ['过压保护', 'Overvoltage set point'] : ['欠压保护', 'Undervoltage set point']
  const volts = shownFigure(value)
  return [
    {
      ...{ deduct: 8, value, limit: value > max ? max : min, unit: 'V', source: specification9, mend: 'settings' },
      text: {
        zh: `${zh} ${volts} V，应在 ${min}–${max} V（型号 ${facts.model || '未报'}）`,
        en: `${en} ${volts} V, should be ${min}–${max} V (model ${facts.model || 'not reported'})`,
      },
    },
  ]
}

/** A protection that is off, or set to the end of its range where it hardly protects. */
function weakEnd(facts: HealthFacts, setting: Setting, value: number): Deduction | null {
  if (!isIneffective(setting, value, { model: facts.model, ratedCurrentA: facts.ratedA })) return null
  const { zh, en } = setting.label
  if (isSwitch(setting)) return plain(12, { zh: `${zh}已关闭`, en: `${en} is off` }, 'settings')
  const shown = `${shownFigure(value)} ${setting.unit}`
  return {
    ...{ deduct: 12, value, limit: null, unit: setting.unit, source: ours, mend: 'settings' },
    text: { zh: `${zh} ${shown}，已到量程末端，等于不保护`, en: `${en} ${shown}: the end of its range, it hardly protects` },
  }
}

function overload(facts: HealthFacts): CheckOutcome {
  const setting = settingOf(facts, 'overload.trip')
  if (!setting) return 'notApplicable'
  const value = facts.settings.get(setting.key)
  if (value === undefined || facts.ratedA === null) return 'notExamined'
  const weak = weakEnd(facts, setting, value)
  if (weak) return [weak]
  const limit = overloadShare * facts.ratedA
  if (value <= limit || sameSetting(value, limit)) return []
  const [is, rated] = [shownFigure(value), shownFigure(facts.ratedA)]
  return [
    {
      ...{ deduct: 3, value, limit, unit: 'A', source: ours, mend: 'settings' },
      text: {
        zh: `过载保护 ${is} A，超过 1.1 In（In ${rated} A）`,
        en: `Overload protection ${is} A, above 1.1 In (In ${rated} A)`,
      },
    },
  ]
}

function leakageTrip(facts: HealthFacts): CheckOutcome {
  const setting = settingOf(facts, 'leakage.trip')
  if (!setting) return 'notApplicable'
  const value = facts.settings.get(setting.key)
  if (value === undefined) return 'notExamined'
  const weak = weakEnd(facts, setting, value)
  if (weak) return [weak]
  if (value <= personsMa || value >= fireMa) return []
  const shown = shownFigure(value)
  return [
    {
      ...{ deduct: 4, value, limit: fireMa, unit: 'mA', mend: 'settings' },
      source: { zh: 'GB 14287.2', en: 'GB 14287.2' },
      text: {
        zh: `漏电动作值 ${shown} mA：保护人身应不大于 30 mA，防火应为 300–500 mA`,
        en: `Residual operating current ${shown} mA: at most 30 mA for people, 300–500 mA against fire`,
      },
    },
  ]
}

/** Any other protection that has a weak end. */
function others(facts: HealthFacts): CheckOutcome {
  const own = facts.family.settings.filter(({ key }) => key === 'temperature.alarm')
  if (own.length === 0) return 'notApplicable'
  const known = own.flatMap((setting) => {
    const value = facts.settings.get(setting.key)
    return value === undefined ? [] : [{ setting, value }]
  })
  if (known.length < own.length) return 'notExamined'
  return known.flatMap(({ setting, value }) => weakEnd(facts, setting, value) ?? [])
}

/** What was ordered from here, and is otherwise now: changed on site, or never taken over. */
function ordered(facts: HealthFacts): CheckOutcome {
  if (facts.ordered.size === 0) return 'notApplicable'
  const known = [...facts.ordered].flatMap(([key, wanted]) => {
    const [setting, is] = [settingOf(facts, key), facts.settings.get(key)]
    return setting && is !== undefined ? [{ setting, wanted, is }] : []
  })
  if (known.length === 0) return 'notExamined'
  const otherwise = known.filter(({ wanted, is }) => !sameSetting(wanted, is))
  if (otherwise.length === 0) return []
  const list = (language: 'zh' | 'en') =>
    otherwise
      .map(({ setting, wanted, is }) =>
        language === 'zh'
          ? `${setting.label.zh} ${shownFigure(is)} ${setting.unit}（下发 ${shownFigure(wanted)}）`
          : `${setting.label.en} ${shownFigure(is)} ${setting.unit} (ordered ${shownFigure(wanted)})`,
      )
      .join(language === 'zh' ? '、' : ', ')
  return [
    {
      ...{ deduct: Math.min(orderedMost, orderedEach * otherwise.length), value: otherwise.length, limit: 0, unit: '' },
      ...{ source: ours, mend: 'settings' },
      text: { zh: `定值与下发值不同：${list('zh')}`, en: `Set otherwise than ordered: ${list('en')}` },
    },
  ]
}

/** The residual-current release, tested by the breaker itself. */
function selfTest(facts: HealthFacts, now: number): CheckOutcome {
  if (!facts.family.actions.some(({ measures }) => measures === 'tripMs')) return 'notApplicable'
  const { last, enabled, everyDays } = facts.selfTest
  const source = { zh: 'GB/T 13955', en: 'GB/T 13955' }
  if (last?.result === 'failed') return [plain(25, { zh: '漏电自检不合格', en: 'RCD test failed' }, 'selfTest', source)]
  if (last === null) return [plain(8, { zh: '从未做过漏电自检', en: 'The RCD was never tested' }, 'selfTest', source)]
  const { dueAt, overdue } = testDue(last, { enabled, everyDays }, now)
  if (!overdue || dueAt === null) return []
  const days = Math.floor((now - dueAt) / dayMs)
  return [
    {
      ...{ deduct: days > selfTestEveryDays ? 8 : 4, value: days, limit: 0, unit: 'd', source, mend: 'selfTest' },
      text: {
        zh: `漏电自检逾期 ${days} 天，限 ${everyDays} 天一次`,
        en: `RCD test ${days} days overdue; due every ${everyDays} days`,
      },
    },
  ]
}

export const protectionChecks: readonly HealthCheck[] = [
  {
    ...{ key: 'setting.over', category: 'protection', label: { zh: '过压定值', en: 'overvoltage set point' } },
    of: (facts) => outsideVoltageBand(facts, 'over'),
  },
  {
    ...{ key: 'setting.under', category: 'protection', label: { zh: '欠压定值', en: 'undervoltage set point' } },
    of: (facts) => outsideVoltageBand(facts, 'under'),
  },
  { key: 'setting.overload', category: 'protection', label: { zh: '过载定值', en: 'overload set point' }, of: overload },
  {
    key: 'setting.leakage',
    category: 'protection',
    label: { zh: '漏电动作值', en: 'residual operating current' },
    of: leakageTrip,
  },
  { key: 'setting.temperature', category: 'protection', label: { zh: '温度定值', en: 'temperature set point' }, of: others },
  { key: 'setting.ordered', category: 'protection', label: { zh: '定值核对', en: 'settings as ordered' }, of: ordered },
  { key: 'selfTest', category: 'protection', label: { zh: '漏电自检', en: 'RCD test' }, of: selfTest },
]
