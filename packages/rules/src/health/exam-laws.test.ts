import { dayMs, voltageBandRows } from '@linewarden/equipment'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { voltageBand } from '../settings/voltage-band.ts'
import { lawRuns } from '../test-runs.ts'
import { healthCeiling, minHealthCoverage } from './categories.ts'
import { examLine } from './exam-line.ts'
import type { HealthFacts } from './facts.ts'
import { healthCosts, healthScore } from './score.ts'
import { now, soundDetector, soundLine } from './test-facts.ts'

// What is true of every line and detector, whatever is known of it.
const numRuns = lawRuns(10_000)
const orNull = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null })
const upTo = (max: number, min = 0) => fc.double({ min, max, noNaN: true })

const settingKeys = [...soundLine.settings.keys()]
const anySettings = fc
  .array(fc.tuple(fc.constantFrom(...settingKeys), fc.integer({ min: 1, max: 600 })), { maxLength: 6 })
  .map((entries) => new Map(entries))
const priorities = ['critical', 'high', 'medium', 'low'] as const
const anyAlarm = fc.record({
  key: fc.constantFrom('trip.short', 'temperature.alarm', 'voltage.under', 'residual.alarm'),
  label: fc.constant({ zh: '报警', en: 'Alarm' }),
  kind: fc.constantFrom('alarm', 'fault', 'warning'),
  priority: fc.constantFrom(...priorities),
  danger: fc.boolean(),
})
const anyFinding = fc.record({
  key: fc.constantFrom('contact', 'leakage.step', 'leakage.drift', 'load.growth'),
  level: fc.constantFrom('notice', 'warning', 'alarm'),
})

const anyFacts: fc.Arbitrary<HealthFacts> = fc
  .record({
    isDetector: fc.boolean(),
    model: fc.constantFrom('3PN', '3P_H', '3PN_S', '4P_H', ''),
    ratedA: orNull(fc.constantFrom(16, 63, 100)),
    settings: anySettings,
    ordered: anySettings,
    residualMa: orNull(upTo(600)),
    hottestC: orNull(upTo(150)),
    i95A: orNull(upTo(150)),
    outsidePercent: orNull(upTo(100)),
    unbalance4Percent: orNull(upTo(50)),
    availabilityPercent: orNull(upTo(100)),
    signalDbm: orNull(fc.integer({ min: -130, max: -50 })),
    batteryPercent: orNull(upTo(100)),
    clockGood: orNull(fc.boolean()),
    online: orNull(fc.constantFrom('online', 'stale', 'offline')),
    lifeLeftDays: orNull(fc.integer({ min: -1_000, max: 1_000 })),
    wearShare: orNull(upTo(1.5)),
    firmwareWithdrawn: orNull(fc.boolean()),
    findings: orNull(fc.array(anyFinding, { maxLength: 3 })),
    alarms: fc.array(anyAlarm, { maxLength: 4 }),
    lockoutCause: orNull(fc.constant('leakage')),
    trips: orNull(fc.nat(8)),
    supplyFaults: orNull(fc.nat(3)),
    arcAlarms: orNull(fc.nat(2)),
    overdueOrders: fc.nat(3),
    tested: orNull(fc.record({ daysAgo: fc.nat(120), failed: fc.boolean() })),
    state: fc.constantFrom(undefined, 'none', 'chamber'),
  })
  .map(({ isDetector, tested, state, ...facts }): HealthFacts => {
    const { family } = isDetector ? soundDetector : soundLine
    return {
      ...facts,
      family,
      unbalance2Percent: facts.unbalance4Percent === null ? null : 2 * facts.unbalance4Percent,
      states: new Map(state === undefined ? [] : [['detector.fault', state]]),
      selfTest: {
        last: tested && { at: now - tested.daysAgo * dayMs, result: tested.failed ? 'failed' : 'passed' },
        ...{ enabled: true, everyDays: 31 },
      },
    } as HealthFacts
  })

const ofAnyFacts = (law: (facts: HealthFacts) => void) => fc.assert(fc.property(anyFacts, law), { numRuns })

test('a score lies between 0 and 100, and there is none below 60 % examined', () => {
  ofAnyFacts((facts) => {
    const { score, points, coverage, ceilings } = examLine(facts, now)
    expect(points).toBeGreaterThanOrEqual(0)
    expect(points).toBeLessThanOrEqual(ceilings.length > 0 ? healthCeiling : 100)
    expect(score).toBe(coverage < minHealthCoverage ? null : points)
    expect(coverage).toBeGreaterThanOrEqual(0)
    expect(coverage).toBeLessThanOrEqual(100)
  })
})

test('what is shown adds up to what is missing from 100', () => {
  ofAnyFacts((facts) => {
    const exam = examLine(facts, now)
    for (const { category, weight, deducted, counted } of exam.parts) {
      const own = exam.items.filter((item) => item.category === category)
      expect(deducted).toBe(own.reduce((sum, { deduct }) => sum + deduct, 0))
      expect(counted).toBe(Math.min(weight, deducted))
    }
    const counted = exam.parts.reduce((sum, part) => sum + part.counted, 0)
    expect(exam.points).toBe(100 - counted - exam.ceilingCost)
    expect(exam.items.every(({ deduct, text }) => deduct > 0 && text.zh !== '' && text.en !== '')).toBe(true)
    expect(new Set(exam.items.map(({ key }) => key)).size).toBe(exam.items.length)
  })
})

/** One more thing that is bad, of which something was known before. */
const worse: readonly ((facts: HealthFacts) => HealthFacts)[] = [
  (facts) => ({ ...facts, residualMa: facts.residualMa && facts.residualMa * 2 }),
  (facts) => ({ ...facts, hottestC: facts.hottestC && facts.hottestC + 20 }),
  (facts) => ({ ...facts, i95A: facts.i95A && facts.i95A * 1.5 }),
  (facts) => ({ ...facts, outsidePercent: facts.outsidePercent && facts.outsidePercent + 10 }),
  (facts) => ({
    ...facts,
    unbalance4Percent: facts.unbalance4Percent && facts.unbalance4Percent + 5,
    unbalance2Percent: facts.unbalance2Percent && facts.unbalance2Percent + 5,
  }),
  (facts) => ({ ...facts, availabilityPercent: facts.availabilityPercent && facts.availabilityPercent * 0.9 }),
  (facts) => ({ ...facts, signalDbm: facts.signalDbm && facts.signalDbm - 30 }),
  (facts) => ({ ...facts, batteryPercent: facts.batteryPercent && facts.batteryPercent / 2 }),
  (facts) => ({ ...facts, clockGood: facts.clockGood === null ? null : false }),
  (facts) => ({ ...facts, online: facts.online && 'offline' }),
  (facts) => ({ ...facts, lifeLeftDays: facts.lifeLeftDays && facts.lifeLeftDays - 200 }),
  (facts) => ({ ...facts, wearShare: facts.wearShare && facts.wearShare * 2 }),
  (facts) => ({ ...facts, firmwareWithdrawn: facts.firmwareWithdrawn === null ? null : true }),
  (facts) => ({ ...facts, findings: facts.findings && [...facts.findings, { key: 'contact', level: 'alarm' }] }),
  (facts) => ({ ...facts, lockoutCause: 'short' }),
  (facts) => ({ ...facts, trips: facts.trips && facts.trips + 1 }),
  (facts) => ({ ...facts, supplyFaults: facts.supplyFaults === null ? null : facts.supplyFaults + 1 }),
  (facts) => ({ ...facts, arcAlarms: facts.arcAlarms === null ? null : facts.arcAlarms + 1 }),
  (facts) => ({ ...facts, overdueOrders: facts.overdueOrders + 1 }),
  (facts) => ({
    ...facts,
    alarms: [
      ...facts.alarms,
      { key: 'arc', label: { zh: '电弧', en: 'Arc' }, kind: 'alarm', priority: 'critical', danger: true },
    ],
  }),
  (facts) => ({
    ...facts,
    selfTest: { ...facts.selfTest, last: facts.selfTest.last && { ...facts.selfTest.last, result: 'failed' } },
  }),
]

test('one more bad fact never raises what a line is worth', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...worse), (facts, makeWorse) => {
      expect(examLine(makeWorse(facts), now).points).toBeLessThanOrEqual(examLine(facts, now).points)
    }),
    { numRuns },
  )
})

/** Facts in which one deduction, and nothing else, is mended. */
const mends: Readonly<Record<string, (facts: HealthFacts) => HealthFacts>> = {
  residual: (facts) => ({ ...facts, residualMa: 0 }),
  'finding.leakage': (facts) => withoutFindings(facts, 'leakage'),
  heat: (facts) => ({ ...facts, hottestC: 0 }),
  'finding.contact': (facts) => withoutFindings(facts, 'contact'),
  load: (facts) => ({ ...facts, i95A: 0 }),
  'finding.growth': (facts) => withoutFindings(facts, 'load'),
  voltage: (facts) => ({ ...facts, outsidePercent: 0 }),
  unbalance: (facts) => ({ ...facts, unbalance2Percent: 0, unbalance4Percent: 0 }),
  supplyFaults: (facts) => ({ ...facts, supplyFaults: 0 }),
  availability: (facts) => ({ ...facts, availabilityPercent: 100 }),
  signal: (facts) => ({ ...facts, signalDbm: -60 }),
  battery: (facts) => ({ ...facts, batteryPercent: 100 }),
  clock: (facts) => ({ ...facts, clockGood: true }),
  life: (facts) => ({ ...facts, lifeLeftDays: 5_000 }),
  wear: (facts) => ({ ...facts, wearShare: 0 }),
  firmware: (facts) => ({ ...facts, firmwareWithdrawn: false }),
  trips: (facts) => ({ ...facts, trips: 0 }),
  'trip.cause': (facts) => ({ ...facts, lockoutCause: null }),
  arcs: (facts) => ({ ...facts, arcAlarms: 0 }),
  orders: (facts) => ({ ...facts, overdueOrders: 0 }),
  reach: (facts) => ({ ...facts, online: 'online' }),
  fault: (facts) => ({ ...facts, states: new Map([...facts.states, ['detector.fault', 'none']]) }),
  selfTest: (facts) => ({ ...facts, selfTest: { ...facts.selfTest, last: { at: now, result: 'passed' } } }),
  'setting.ordered': (facts) => ({ ...facts, ordered: new Map() }),
}
const withoutFindings = (facts: HealthFacts, begin: string): HealthFacts => ({
  ...facts,
  findings: facts.findings?.filter(({ key }) => !key.startsWith(begin)) ?? null,
})
const withoutAlarm = (facts: HealthFacts, key: string): HealthFacts => ({
  ...facts,
  alarms: facts.alarms.filter((alarm) => alarm.key !== key || alarm.kind === 'warning'),
})

test('what is said to be gained by mending something is what the line is worth more then', () => {
  const law = (facts: HealthFacts) => {
    const { points, items, ceilings } = examLine(facts, now)
    for (const { key, gain, deduct } of items) {
      const [check, part] = key.split(':')
      const mended = part === undefined ? mends[check ?? '']?.(facts) : withoutAlarm(facts, part)
      // Settings hang together with what was ordered: of one by itself nothing is known here.
      if (mended) expect([key, gain]).toEqual([key, examLine(mended, now).points - points])
      else expect(key).toMatch(/^setting\./)
      expect(gain).toBeGreaterThanOrEqual(0)
      if (ceilings.length === 0) expect(gain).toBeLessThanOrEqual(deduct)
    }
  }
  // Each run examines a line once for each of its deductions.
  fc.assert(fc.property(anyFacts, law), { numRuns: lawRuns(2_000) })
})

const forgettable = [
  ...['residualMa', 'hottestC', 'i95A', 'outsidePercent', 'unbalance2Percent', 'unbalance4Percent', 'availabilityPercent'],
  ...['signalDbm', 'batteryPercent', 'clockGood', 'online', 'lifeLeftDays', 'wearShare', 'firmwareWithdrawn', 'findings'],
  ...['trips', 'supplyFaults', 'arcAlarms', 'ratedA'],
]

test('a fact that is missing never costs anything, and never raises the coverage', () => {
  fc.assert(
    fc.property(anyFacts, fc.constantFrom(...forgettable, ...settingKeys), (facts, name) => {
      const settings = new Map(facts.settings)
      const isSetting = settings.delete(name)
      const less = isSetting || settingKeys.includes(name) ? { ...facts, settings } : { ...facts, [name]: null }
      const [before, after] = [examLine(facts, now), examLine(less, now)]
      expect(after.points).toBeGreaterThanOrEqual(before.points)
      expect(after.coverage).toBeLessThanOrEqual(before.coverage)
    }),
    { numRuns },
  )
})

describe('to the volt, both ends of each band included', () => {
  const named = voltageBandRows.map(({ matches }) => ('model' in matches ? matches.model : `4P${matches.contains}`))
  test.each([...named, '3PN', ''])('of model "%s"', (model) => {
    const costs = (key: 'overvoltage' | 'undervoltage', value: number) => {
      const facts = { ...soundLine, model, settings: new Map([...soundLine.settings, [key, value]]) }
      return examLine(facts, now).items.some((item) => item.key === (key === 'overvoltage' ? 'setting.over' : 'setting.under'))
    }
    const band = voltageBand(model)
    for (const [key, [min, max]] of [
      ['overvoltage', band.over],
      ['undervoltage', band.under],
    ] as const)
      expect([min - 1, min, max, max + 1].map((volts) => costs(key, volts))).toEqual([true, false, false, true])
  })
})

test('the score of a plant lies between its worst tenth and its average, and its costs are what its lines lost', () => {
  fc.assert(
    fc.property(fc.array(anyFacts, { minLength: 1, maxLength: 25 }), (all) => {
      const exams = all.map((facts) => examLine(facts, now))
      const points = exams.map((exam) => exam.points)
      const total = healthScore(points)
      expect(total?.score).toBeGreaterThanOrEqual(Math.round(total?.worstTenth ?? 0))
      expect(total?.score).toBeLessThanOrEqual(Math.round(total?.average ?? 0))
      const lost = points.reduce((sum, each) => sum + 100 - each, 0)
      expect(healthCosts(exams).reduce((sum, cost) => sum + cost.points, 0)).toBe(lost)
    }),
    { numRuns },
  )
})
