import type { Priority } from '@linewarden/equipment'
import { priorityWords } from '@linewarden/equipment'
import { expiringDays } from '../site/life.ts'
import type { CheckOutcome, Deduction, HealthCheck, Step } from './check.ts'
import { ours, plain, shownFigure, stepOf } from './check.ts'
import type { HealthFacts } from './facts.ts'

const weakSignalDbm = -110
const [lowBattery, emptyBattery] = [30, 15] as const
const wearSteps: readonly Step[] = [
  { from: 0.6, deduct: 2 },
  { from: 0.8, deduct: 5 },
]
/** Below these shares of time, in percent: of a line, and of a detector, which nobody else stands in for. */
const availabilitySteps = [
  { below: 95, line: 5, detector: 10 },
  { below: 99, line: 2, detector: 5 },
  { below: 99.5, line: 1, detector: 2 },
] as const

const hasPosition = ({ family }: HealthFacts): boolean => family.states.some(({ key }) => key === 'position')

/** How much of the last 30 days it was heard. */
const availability =
  (of: 'line' | 'detector') =>
  ({ availabilityPercent }: HealthFacts): CheckOutcome => {
    if (availabilityPercent === null) return 'notExamined'
    const step = availabilitySteps.find(({ below }) => availabilityPercent < below)
    if (!step) return []
    const is = shownFigure(availabilityPercent)
    return [
      {
        ...{ deduct: step[of], value: availabilityPercent, limit: step.below, unit: '%', source: ours, mend: 'history' },
        text: { zh: `30 天在线率 ${is}%，应不低于 99.5%`, en: `In touch for ${is} % of 30 days; should be 99.5 %` },
      },
    ]
  }

const signal =
  (deduct: number) =>
  ({ signalDbm }: HealthFacts): CheckOutcome => {
    if (signalDbm === null) return 'notExamined'
    if (signalDbm >= weakSignalDbm) return []
    const is = shownFigure(signalDbm, 0)
    return [
      {
        ...{ deduct, value: signalDbm, limit: weakSignalDbm, unit: 'dBm', source: ours, mend: 'devices' },
        text: { zh: `信号 ${is} dBm，低于 −110 dBm`, en: `Signal ${is} dBm, below −110 dBm` },
      },
    ]
  }

const battery =
  (low: number, empty: number) =>
  ({ family, batteryPercent }: HealthFacts): CheckOutcome => {
    if (!family.points.some(({ quantity }) => quantity === 'battery')) return 'notApplicable'
    if (batteryPercent === null) return 'notExamined'
    if (batteryPercent >= lowBattery) return []
    const is = shownFigure(batteryPercent, 0)
    return [
      {
        ...{ deduct: batteryPercent < emptyBattery ? empty : low, value: batteryPercent, limit: lowBattery, unit: '%' },
        ...{ source: ours, mend: 'devices' },
        text: { zh: `电池电量 ${is}%，低于 30%`, en: `Battery ${is} %, below 30 %` },
      },
    ]
  }

const serviceLife =
  (ending: number, over: number) =>
  ({ lifeLeftDays }: HealthFacts): CheckOutcome => {
    if (lifeLeftDays === null) return 'notExamined'
    if (lifeLeftDays > expiringDays) return []
    const isOver = lifeLeftDays < 0
    const days = Math.abs(lifeLeftDays)
    return [
      {
        ...{ deduct: isOver ? over : ending, value: lifeLeftDays, limit: isOver ? 0 : expiringDays, unit: 'd' },
        ...{ source: ours, mend: 'devices' },
        text: isOver
          ? { zh: `已超过使用寿命 ${days} 天`, en: `${days} days past its service life` }
          : { zh: `使用寿命还剩 ${days} 天`, en: `${days} days of service life left` },
      },
    ]
  }

function clockOff({ clockGood }: HealthFacts): CheckOutcome {
  if (clockGood === null) return 'notExamined'
  return clockGood ? [] : [plain(2, { zh: '时钟未同步', en: 'Clock not synchronised' }, 'devices')]
}

function wear(facts: HealthFacts): CheckOutcome {
  if (!hasPosition(facts)) return 'notApplicable'
  if (facts.wearShare === null) return 'notExamined'
  const step = stepOf(wearSteps, facts.wearShare, true)
  if (!step) return []
  const is = shownFigure(100 * facts.wearShare, 0)
  return [
    {
      ...{ deduct: step.deduct, value: 100 * facts.wearShare, limit: 100 * step.from, unit: '%', source: ours, mend: 'warnings' },
      text: { zh: `触头磨损 ${is}%`, en: `Contacts worn by ${is} %` },
    },
  ]
}

function firmware({ firmwareWithdrawn }: HealthFacts): CheckOutcome {
  if (firmwareWithdrawn === null) return 'notExamined'
  return firmwareWithdrawn ? [plain(2, { zh: '网关固件已撤回', en: 'The firmware of its gateway was withdrawn' }, 'devices')] : []
}

const alarmCosts: Readonly<Record<Priority, number>> = { critical: 15, high: 8, medium: 3, low: 0 }

/** One for each key: of several points the worst counts. Findings cost in the category that they are about. */
function openAlarms({ alarms, trips }: HealthFacts): CheckOutcome {
  const own = alarms.filter(({ kind, priority }) => kind !== 'warning' && alarmCosts[priority] > 0)
  if (own.length === 0) return trips === null ? 'notExamined' : []
  const worst = new Map<string, (typeof own)[number]>()
  for (const alarm of own) {
    const known = worst.get(alarm.key)
    if (!known || alarmCosts[alarm.priority] > alarmCosts[known.priority]) worst.set(alarm.key, alarm)
  }
  return [...worst.values()].map(({ key, label, priority }): Deduction => {
    const [zh, en] = [priorityWords.zh[priority], priorityWords.en[priority]]
    const text = { zh: `${zh}级报警未恢复：${label.zh}`, en: `${en} alarm still active: ${label.en}` }
    return { ...plain(alarmCosts[priority], text, 'alarms'), part: key }
  })
}

const tripsMost = 6
const tripsEach = 2

function trips(facts: HealthFacts): CheckOutcome {
  if (!hasPosition(facts)) return 'notApplicable'
  const count = facts.trips
  if (count === null) return 'notExamined'
  if (count === 0) return []
  return [
    {
      ...{ deduct: Math.min(tripsMost, tripsEach * count), value: count, limit: 0, unit: '', source: ours, mend: 'alarms' },
      text: { zh: `30 天内保护跳闸 ${count} 次`, en: `Protective trips in 30 days: ${count}` },
    },
  ]
}

function unexplainedTrip(facts: HealthFacts): CheckOutcome {
  if (!hasPosition(facts)) return 'notApplicable'
  if (facts.lockoutCause !== null)
    return [plain(8, { zh: '保护跳闸未登记原因', en: 'A protective trip without a recorded cause' }, 'tripCause')]
  return facts.trips === null ? 'notExamined' : []
}

function arcs(facts: HealthFacts): CheckOutcome {
  if (!facts.family.alarms.some(({ key }) => key === 'arc' || key === 'trip.arc')) return 'notApplicable'
  if (facts.arcAlarms === null) return 'notExamined'
  if (facts.arcAlarms === 0) return []
  const source = { zh: 'GB 14287.4', en: 'GB 14287.4' }
  return [plain(10, { zh: '30 天内有故障电弧报警', en: 'An arc-fault alarm in 30 days' }, 'alarms', source)]
}

const ordersMost = 8
const ordersEach = 4

/** How many, and not which: a sheet is read by people who may not see orders. */
function overdueOrders({ overdueOrders: count }: HealthFacts): CheckOutcome {
  if (count === 0) return []
  return [
    {
      ...{ deduct: Math.min(ordersMost, ordersEach * count), value: count, limit: 0, unit: '', source: ours, mend: 'orders' },
      text: { zh: `工单超时未处理 ${count} 张`, en: `Work orders overdue: ${count}` },
    },
  ]
}

export const linkChecks: readonly HealthCheck[] = [
  { key: 'availability', category: 'link', label: { zh: '在线率', en: 'availability' }, of: availability('line') },
  { key: 'signal', category: 'link', label: { zh: '信号', en: 'signal' }, of: signal(2) },
  { key: 'battery', category: 'link', label: { zh: '电池', en: 'battery' }, of: battery(2, 5) },
  { key: 'clock', category: 'link', label: { zh: '时钟', en: 'clock' }, of: clockOff },
  {
    key: 'life',
    category: 'link',
    label: { zh: '使用寿命（未登记）', en: 'service life (not registered)' },
    of: serviceLife(2, 5),
  },
  { key: 'wear', category: 'link', label: { zh: '触头磨损', en: 'wear of contacts' }, of: wear },
  { key: 'firmware', category: 'link', label: { zh: '固件', en: 'firmware' }, of: firmware },
]

export const historyChecks: readonly HealthCheck[] = [
  { key: 'alarms', category: 'history', label: { zh: '报警', en: 'alarms' }, of: openAlarms },
  { key: 'trips', category: 'history', label: { zh: '跳闸记录', en: 'trips' }, of: trips },
  { key: 'trip.cause', category: 'history', label: { zh: '跳闸原因', en: 'cause of trips' }, of: unexplainedTrip },
  { key: 'arcs', category: 'history', label: { zh: '电弧记录', en: 'arc faults' }, of: arcs },
  { key: 'orders', category: 'history', label: { zh: '工单', en: 'work orders' }, of: overdueOrders },
]

function reachable({ online }: HealthFacts): CheckOutcome {
  if (online === null) return 'notExamined'
  if (online === 'online') return []
  return online === 'offline'
    ? [plain(30, { zh: '探测器离线', en: 'The detector is offline' }, 'devices')]
    : [plain(10, { zh: '探测器数据过期', en: 'The detector has not reported in time' }, 'devices')]
}

function ownTest({ family, states }: HealthFacts): CheckOutcome {
  if (!family.states.some(({ key }) => key === 'selfTest')) return 'notApplicable'
  const state = states.get('selfTest')
  if (state === undefined || state === 'running') return 'notExamined'
  if (state === 'failed') return [plain(25, { zh: '自检不合格', en: 'Self-test failed' }, 'selfTest')]
  return state === 'passed' ? [] : [plain(12, { zh: '从未做过自检', en: 'Never tested' }, 'selfTest')]
}

/** States in which a detector guards nothing, or less than it should. */
const soundStates: Readonly<Record<string, string>> = { 'detector.fault': 'none', disabled: 'none', tamper: 'normal' }

function fault({ family, states }: HealthFacts): CheckOutcome {
  const own = family.states.filter(({ key }) => key in soundStates)
  if (own.length === 0) return 'notApplicable'
  const wrong = own.filter(({ key }) => states.has(key) && states.get(key) !== soundStates[key])
  if (wrong.length === 0) return own.some(({ key }) => !states.has(key)) ? 'notExamined' : []
  return wrong.slice(0, 1).map(({ key, label, values }) => {
    const value = values.find((each) => each.key === states.get(key))?.label ?? { zh: '', en: '' }
    return plain(20, { zh: `${label.zh}：${value.zh}`, en: `${label.en}: ${value.en}` }, 'devices')
  })
}

/** Of a detector, which has no lines. */
export const detectorChecks: readonly HealthCheck[] = [
  { key: 'reach', category: 'reach', label: { zh: '在线状态', en: 'whether it is online' }, of: reachable },
  { key: 'availability', category: 'reach', label: { zh: '在线率', en: 'availability' }, of: availability('detector') },
  { key: 'signal', category: 'reach', label: { zh: '信号', en: 'signal' }, of: signal(6) },
  { key: 'selfTest', category: 'test', label: { zh: '自检', en: 'self-test' }, of: ownTest },
  { key: 'fault', category: 'fault', label: { zh: '探测器状态', en: 'state of the detector' }, of: fault },
  { key: 'battery', category: 'battery', label: { zh: '电池', en: 'battery' }, of: battery(6, 15) },
  {
    key: 'life',
    category: 'life',
    label: { zh: '使用寿命（未登记）', en: 'service life (not registered)' },
    of: serviceLife(4, 10),
  },
]
