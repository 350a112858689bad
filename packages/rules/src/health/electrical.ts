import type { CheckOutcome, HealthCheck, Step } from './check.ts'
import { ours, plain, shownFigure, stepOf } from './check.ts'
import type { HealthFacts } from './facts.ts'

const measures = ({ family }: HealthFacts, key: string): boolean => family.points.some((point) => point.key === key)
const phasesOf = ({ family }: HealthFacts, quantity: string): number =>
  family.points.filter((point) => point.quantity === quantity && point.phase).length

/** IEC 60364-5-53: leakage that is there all the time stays at or below 0.3 of what trips. */
const residualSteps: readonly Step[] = [
  { from: 0.3, deduct: 6 },
  { from: 0.5, deduct: 12 },
  { from: 0.8, deduct: 20 },
]
const heatSteps: readonly Step[] = [
  { from: 0.85, deduct: 6 },
  { from: 1, deduct: 15 },
]
const loadSteps: readonly Step[] = [
  { from: 0.8, deduct: 4 },
  { from: 1, deduct: 12 },
]
/** EN 50160: 95 % of the time within. */
const outsideShare = 5

function residual(facts: HealthFacts): CheckOutcome {
  if (!measures(facts, 'residual')) return 'notApplicable'
  const tripMa = facts.settings.get('leakage.trip')
  if (facts.residualMa === null || tripMa === undefined || !(tripMa > 0)) return 'notExamined'
  const share = facts.residualMa / tripMa
  const step = stepOf(residualSteps, share)
  if (!step) return []
  const [is, of] = [shownFigure(facts.residualMa), shownFigure(share, 2)]
  return [
    {
      ...{ deduct: step.deduct, value: facts.residualMa, limit: step.from * tripMa, unit: 'mA', mend: 'history' },
      source: { zh: 'IEC 60364-5-53', en: 'IEC 60364-5-53' },
      text: {
        zh: `30 天小时均值 95% 位 ${is} mA，占动作值 ${of}，限 0.3`,
        en: `95th percentile of 30 days' hourly means ${is} mA, ${of} of what trips; limit 0.3`,
      },
    },
  ]
}

function heat(facts: HealthFacts): CheckOutcome {
  if (phasesOf(facts, 'temperature') === 0) return 'notApplicable'
  const alarm = facts.settings.get('temperature.alarm')
  if (facts.hottestC === null || alarm === undefined || !(alarm > 0)) return 'notExamined'
  const share = facts.hottestC / alarm
  const step = stepOf(heatSteps, share, true)
  if (!step) return []
  const [is, limit, of] = [shownFigure(facts.hottestC), shownFigure(alarm), shownFigure(share, 2)]
  return [
    {
      ...{ deduct: step.deduct, value: facts.hottestC, limit: step.from * alarm, unit: '°C', source: ours, mend: 'history' },
      text: {
        zh: `30 天最热 ${is} °C，占报警值 ${limit} °C 的 ${of}，限 0.85`,
        en: `Hottest of 30 days ${is} °C, ${of} of the alarm setting ${limit} °C; limit 0.85`,
      },
    },
  ]
}

function load(facts: HealthFacts): CheckOutcome {
  if (phasesOf(facts, 'current') === 0) return 'notApplicable'
  if (facts.i95A === null || facts.ratedA === null || !(facts.ratedA > 0)) return 'notExamined'
  const share = facts.i95A / facts.ratedA
  const step = stepOf(loadSteps, share)
  if (!step) return []
  const [is, rated, of] = [shownFigure(facts.i95A), shownFigure(facts.ratedA), shownFigure(share, 2)]
  return [
    {
      ...{ deduct: step.deduct, value: facts.i95A, limit: step.from * facts.ratedA, unit: 'A', source: ours, mend: 'history' },
      text: {
        zh: `95% 时段电流 ${is} A，占 In ${rated} A 的 ${of}，限 0.8`,
        en: `Current of 95 % of the time ${is} A, ${of} of In ${rated} A; limit 0.8`,
      },
    },
  ]
}

function voltage(facts: HealthFacts): CheckOutcome {
  if (phasesOf(facts, 'voltage') === 0) return 'notApplicable'
  const { outsidePercent } = facts
  if (outsidePercent === null) return 'notExamined'
  if (outsidePercent <= outsideShare) return []
  const is = shownFigure(outsidePercent)
  return [
    {
      ...{ deduct: 4, value: outsidePercent, limit: outsideShare, unit: '%', mend: 'history' },
      source: { zh: 'GB/T 12325', en: 'GB/T 12325' },
      text: {
        zh: `30 天内电压超出允许偏差的时间占 ${is}%，限 5%`,
        en: `Voltage outside its band for ${is} % of 30 days; limit 5 %`,
      },
    },
  ]
}

function unbalance(facts: HealthFacts): CheckOutcome {
  if (phasesOf(facts, 'voltage') < 3) return 'notApplicable'
  const { unbalance2Percent, unbalance4Percent } = facts
  if (unbalance2Percent === null || unbalance4Percent === null) return 'notExamined'
  const isGrave = unbalance4Percent > outsideShare
  if (!isGrave && unbalance2Percent <= outsideShare) return []
  const [limit, share] = isGrave ? [4, unbalance4Percent] : [2, unbalance2Percent]
  const is = shownFigure(share)
  return [
    {
      ...{ deduct: isGrave ? 6 : 3, value: share, limit: outsideShare, unit: '%', mend: 'history' },
      source: { zh: 'GB/T 15543', en: 'GB/T 15543' },
      text: {
        zh: `30 天内电压不平衡超过 ${limit}% 的时间占 ${is}%，限 5%`,
        en: `Voltage unbalance above ${limit} % for ${is} % of 30 days; limit 5 %`,
      },
    },
  ]
}

function supplyFaults(facts: HealthFacts): CheckOutcome {
  if (phasesOf(facts, 'voltage') < 3) return 'notApplicable'
  if (facts.supplyFaults === null) return 'notExamined'
  const count = facts.supplyFaults
  return count === 0
    ? []
    : [
        {
          ...{ deduct: 10, value: count, limit: 0, unit: '', source: ours, mend: 'warnings' },
          text: { zh: `30 天内断相或断零 ${count} 次`, en: `Phase loss or broken neutral ${count} times in 30 days` },
        },
      ]
}

/** What detectors of early warning found and is still open. */
const finding =
  (
    applies: (facts: HealthFacts) => boolean,
    keys: Readonly<Record<string, readonly [zh: string, en: string]>>,
    deduct: Readonly<Record<'notice' | 'warning' | 'alarm', number>>,
  ) =>
  (facts: HealthFacts): CheckOutcome => {
    if (!applies(facts)) return 'notApplicable'
    if (facts.findings === null) return 'notExamined'
    const own = facts.findings.flatMap(({ key, level }) => {
      const words = keys[key]
      return words ? [{ words, deduct: deduct[level] }] : []
    })
    const worst = own.toSorted((a, b) => b.deduct - a.deduct)[0]
    if (!worst) return []
    const [zh, en] = worst.words
    return [plain(worst.deduct, { zh: `${zh}，未消除`, en: `${en}, still open` }, 'warnings')]
  }

const same = (points: number) => ({ notice: points, warning: points, alarm: points })

export const electricalChecks: readonly HealthCheck[] = [
  { key: 'residual', category: 'leakage', label: { zh: '剩余电流', en: 'residual current' }, of: residual },
  {
    ...{ key: 'finding.leakage', category: 'leakage', label: { zh: '漏电趋势', en: 'trend of residual current' } },
    of: finding(
      (facts) => measures(facts, 'residual'),
      {
        'leakage.step': ['漏电突升', 'Residual current has stepped up'],
        'leakage.drift': ['漏电缓升', 'Residual current drifts up'],
      },
      same(5),
    ),
  },
  { key: 'heat', category: 'load', label: { zh: '接线端温度', en: 'terminal temperature' }, of: heat },
  {
    ...{ key: 'finding.contact', category: 'load', label: { zh: '接点状况', en: 'state of contacts' } },
    of: finding(
      (facts) => phasesOf(facts, 'temperature') > 0 && phasesOf(facts, 'current') > 0,
      { contact: ['接点温升异常', 'A contact warms more than it should'] },
      { notice: 4, warning: 10, alarm: 20 },
    ),
  },
  { key: 'load', category: 'load', label: { zh: '负荷', en: 'load' }, of: load },
  {
    ...{ key: 'finding.growth', category: 'load', label: { zh: '负荷趋势', en: 'trend of load' } },
    of: finding((facts) => phasesOf(facts, 'current') > 0, { 'load.growth': ['负荷增长', 'The load grows'] }, same(2)),
  },
  { key: 'voltage', category: 'supply', label: { zh: '电压偏差', en: 'voltage' }, of: voltage },
  { key: 'unbalance', category: 'supply', label: { zh: '电压不平衡', en: 'voltage unbalance' }, of: unbalance },
  { key: 'supplyFaults', category: 'supply', label: { zh: '断相与断零', en: 'phase loss and neutral' }, of: supplyFaults },
]
