import { dayMs } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { examLine } from './exam-line.ts'
import type { HealthFacts } from './facts.ts'
import { now, soundDetector, soundLine } from './test-facts.ts'

const alarm = (
  key: string,
  priority: 'critical' | 'high' | 'medium' | 'low',
  more: Partial<HealthFacts['alarms'][number]> = {},
) => ({
  ...{ key, label: { zh: '报警', en: 'Alarm' }, kind: 'alarm' as const, priority, danger: false },
  ...more,
})
const set = (key: string, value: number): Partial<HealthFacts> => ({ settings: new Map([...soundLine.settings, [key, value]]) })
const withState = (key: string, value: string): Partial<HealthFacts> => ({
  states: new Map([...soundDetector.states, [key, value]]),
})
const test31 = (daysAgo: number): Partial<HealthFacts> => ({
  selfTest: { last: { at: now - daysAgo * dayMs, result: 'passed' }, enabled: true, everyDays: 31 },
})

test('a sound line has full marks, all of it examined', () => {
  expect(examLine(soundLine, now)).toMatchObject({ score: 100, band: 'good', coverage: 100, items: [], gaps: [], ceilings: [] })
})

test('a sound detector has full marks too', () => {
  expect(examLine(soundDetector, now)).toMatchObject({ score: 100, coverage: 100, items: [], gaps: [] })
})

describe('what each fact costs a line', () => {
  test.each<[string, Partial<HealthFacts>, number]>([
    ['overvoltage set point above its band', set('overvoltage', 266), 8],
    ['undervoltage set point below its band', set('undervoltage', 174), 8],
    ['overload protection at the end of its range', set('overload.trip', 120), 12],
    ['overload protection above 1.1 In', set('overload.trip', 111), 3],
    ['overload protection of 1.1 In', set('overload.trip', 110), 0],
    ['residual current at the end of its range', set('leakage.trip', 500), 12],
    ['residual current for neither people nor fire', set('leakage.trip', 100), 4],
    ['temperature alarm at the end of its range', set('temperature.alarm', 120), 12],
    ['one setting otherwise than ordered', { ordered: new Map([['overload.delay', 30]]) }, 2],
    [
      'three settings otherwise than ordered',
      {
        ordered: new Map([
          ['overload.delay', 30],
          ['overvoltage', 260],
          ['undervoltage', 180],
        ]),
      },
      4,
    ],
    ['a test that is due today', test31(31), 0],
    ['a test a day late', test31(32.5), 4],
    ['a test 32 days late', test31(63.5), 8],
    ['never tested', { selfTest: { last: null, enabled: true, everyDays: 31 } }, 8],
    ['leakage of 0.3 of what trips', { residualMa: 90 }, 0],
    ['leakage above 0.3', { residualMa: 91 }, 6],
    ['leakage above 0.5', { residualMa: 151 }, 12],
    ['leakage above 0.8', { residualMa: 241 }, 20],
    ['leakage that steps up', { findings: [{ key: 'leakage.step', level: 'notice' }] }, 5],
    ['a terminal at 0.85 of the alarm', { hottestC: 68 }, 6],
    ['a terminal at the alarm', { hottestC: 80 }, 15],
    ['a contact, notice', { findings: [{ key: 'contact', level: 'notice' }] }, 4],
    ['a contact, warning', { findings: [{ key: 'contact', level: 'warning' }] }, 10],
    [
      'a contact of two phases, alarm',
      {
        findings: [
          { key: 'contact', level: 'notice' },
          { key: 'contact', level: 'alarm' },
        ],
      },
      20,
    ],
    ['load of 0.8 In', { i95A: 80 }, 0],
    ['load above 0.8 In', { i95A: 81 }, 4],
    ['load above In', { i95A: 101 }, 12],
    ['a load that grows', { findings: [{ key: 'load.growth', level: 'notice' }] }, 2],
    ['voltage outside for 5 %', { outsidePercent: 5 }, 0],
    ['voltage outside for more', { outsidePercent: 5.1 }, 4],
    ['unbalance above 2 %', { unbalance2Percent: 6 }, 3],
    ['unbalance above 4 %', { unbalance2Percent: 9, unbalance4Percent: 6 }, 6],
    ['phase loss', { supplyFaults: 1 }, 10],
    ['in touch for 99.5 %', { availabilityPercent: 99.5 }, 0],
    ['in touch for 99.4 %', { availabilityPercent: 99.4 }, 1],
    ['in touch for 98.9 %', { availabilityPercent: 98.9 }, 2],
    ['in touch for 94.9 %', { availabilityPercent: 94.9 }, 5],
    ['signal -110 dBm', { signalDbm: -110 }, 0],
    ['signal -111 dBm', { signalDbm: -111 }, 2],
    ['clock off', { clockGood: false }, 2],
    ['service life over', { lifeLeftDays: -1 }, 5],
    ['service life ends today', { lifeLeftDays: 0 }, 2],
    ['service life ends in 90 days', { lifeLeftDays: 90 }, 2],
    ['service life ends in 91 days', { lifeLeftDays: 91 }, 0],
    ['contacts worn by 60 %', { wearShare: 0.6 }, 2],
    ['contacts worn by 80 %', { wearShare: 0.8 }, 5],
    ['withdrawn firmware', { firmwareWithdrawn: true }, 2],
    ['an alarm of priority high', { alarms: [alarm('a', 'high')] }, 8],
    ['the same on three points', { alarms: [alarm('a', 'medium'), alarm('a', 'high'), alarm('a', 'medium')] }, 8],
    ['two alarms of priority medium', { alarms: [alarm('a', 'medium'), alarm('b', 'medium')] }, 6],
    ['an alarm of priority low', { alarms: [alarm('a', 'low')] }, 0],
    ['a finding, which costs where it belongs', { alarms: [alarm('contact', 'high', { kind: 'warning' })] }, 0],
    ['two protective trips', { trips: 2 }, 4],
    ['nine protective trips', { trips: 9 }, 6],
    ['an arc alarm', { arcAlarms: 1 }, 10],
    ['one overdue order', { overdueOrders: 1 }, 4],
    ['three overdue orders', { overdueOrders: 3 }, 8],
  ])('%s', (_, more, cost) => {
    const { score, items } = examLine({ ...soundLine, ...more }, now)
    expect([score, items.reduce((sum, { deduct }) => sum + deduct, 0)]).toEqual([100 - cost, cost])
  })
})

test('of overdue orders a sheet says how many, whoever reads it', () => {
  const [item] = examLine({ ...soundLine, overdueOrders: 3 }, now).items
  expect([item?.value, item?.text]).toEqual([3, { zh: '工单超时未处理 3 张', en: 'Work orders overdue: 3' }])
})

describe('what each fact costs a detector', () => {
  test.each<[string, Partial<HealthFacts>, number]>([
    ['offline', { online: 'offline' }, 30],
    ['not reported in time', { online: 'stale' }, 10],
    ['in touch for 94 %', { availabilityPercent: 94 }, 10],
    ['weak signal', { signalDbm: -111 }, 6],
    ['a dirty chamber', withState('detector.fault', 'chamber'), 20],
    ['taken off its base', withState('tamper', 'removed'), 20],
    ['battery 29 %', { batteryPercent: 29 }, 6],
    ['battery 14 %', { batteryPercent: 14 }, 15],
    ['service life over', { lifeLeftDays: -400 }, 10],
  ])('%s', (_, more, cost) => {
    expect(examLine({ ...soundDetector, ...more }, now).score).toBe(100 - cost)
  })

  test('its own test, failed or never done', () => {
    const tested = (state: string) => {
      const facts = { ...soundDetector, family: withTest, states: new Map([['selfTest', state]]) }
      const { items, ceilings } = examLine(facts, now)
      return [items.filter(({ key }) => key === 'selfTest').map(({ deduct }) => deduct), ceilings]
    }
    expect(tested('passed')).toEqual([[], []])
    expect(tested('notDone')).toEqual([[12], []])
    expect(tested('failed')).toEqual([[25], ['selfTest']])
  })
})

const withTest = {
  ...soundDetector.family,
  states: [...soundDetector.family.states, { key: 'selfTest', label: { zh: '自检', en: 'Self-test' }, values: [] }],
}

describe('a category costs no more than its weight', () => {
  test('and what counted of it is shown beside its sum', () => {
    const facts = { ...soundLine, residualMa: 250, findings: [{ key: 'leakage.drift', level: 'warning' as const }] }
    const { score, parts } = examLine(facts, now)
    expect(score).toBe(80)
    expect(parts.find(({ category }) => category === 'leakage')).toEqual({
      category: 'leakage',
      weight: 20,
      deducted: 25,
      counted: 20,
    })
  })
})

describe('a line is no better than 59', () => {
  test.each<[string, Partial<HealthFacts>, string]>([
    ['while its test failed', { selfTest: { last: { at: now, result: 'failed' }, enabled: true, everyDays: 31 } }, 'selfTest'],
    ['while a critical alarm is active', { alarms: [alarm('trip.short', 'critical')] }, 'danger'],
    ['while a danger is', { alarms: [alarm('smoke.alarm', 'low', { danger: true })] }, 'danger'],
    ['while a protective trip is unexplained', { lockoutCause: 'leakage' }, 'trip'],
  ])('%s', (_, more, ceiling) => {
    const exam = examLine({ ...soundLine, ...more }, now)
    expect([exam.score, exam.band, exam.ceilings]).toEqual([59, 'dangerous', [ceiling]])
    const counted = exam.parts.reduce((sum, part) => sum + part.counted, 0)
    expect(100 - counted - exam.ceilingCost).toBe(59)
  })
})

describe('what mending one thing gives back', () => {
  const gains = (more: Partial<HealthFacts>) =>
    Object.fromEntries(examLine({ ...soundLine, ...more }, now).items.map(({ key, gain }) => [key, gain]))

  test('is no more than its category cost', () => {
    const drift = { key: 'leakage.drift', level: 'warning' as const }
    expect(gains({ residualMa: 250, findings: [drift] })).toEqual({ residual: 15, 'finding.leakage': 0 })
  })

  test('is nothing while something else keeps the line at 59, and all of it with what does', () => {
    expect(gains({ residualMa: 91, lockoutCause: 'leakage' })).toEqual({ residual: 0, 'trip.cause': 35 })
    expect(gains({ alarms: [alarm('a', 'critical'), alarm('b', 'critical')] })).toEqual({ 'alarms:a': 0, 'alarms:b': 0 })
    expect(gains({ alarms: [alarm('a', 'critical'), alarm('b', 'medium')] })).toEqual({ 'alarms:a': 38, 'alarms:b': 0 })
  })
})

describe('what is not known', () => {
  test('costs nothing, lowers the coverage and is named', () => {
    const settings = new Map(soundLine.settings)
    settings.delete('overvoltage')
    const { score, coverage, gaps } = examLine({ ...soundLine, settings }, now)
    expect([score, coverage, gaps.map(({ key }) => key)]).toEqual([100, 96, ['setting.over']])
  })

  test('is no full marks: a line that reported nothing has no score', () => {
    const nothing: HealthFacts = {
      ...soundLine,
      ...{ settings: new Map(), ordered: new Map(), states: new Map(), ratedA: null, residualMa: null, hottestC: null },
      ...{ i95A: null, outsidePercent: null, unbalance2Percent: null, unbalance4Percent: null, availabilityPercent: null },
      ...{ signalDbm: null, clockGood: null, lifeLeftDays: null, wearShare: null, firmwareWithdrawn: null, findings: null },
      ...{ trips: null, supplyFaults: null, arcAlarms: null, online: null },
    }
    const { score, band, coverage } = examLine(nothing, now)
    expect([score, band]).toEqual([null, null])
    expect(coverage).toBeLessThan(10)
  })

  test('what the equipment does not have is not missing', () => {
    const { coverage, gaps } = examLine({ ...soundLine, batteryPercent: null, ordered: new Map() }, now)
    expect([coverage, gaps]).toEqual([100, []])
  })
})
