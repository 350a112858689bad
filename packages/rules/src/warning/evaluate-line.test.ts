import { families } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { contact } from './contact.ts'
import type { WarningDetector } from './detector.ts'
import { defaultParams } from './detector.ts'
import type { LineAtNight, ParamsOf } from './evaluate-line.ts'
import { dailyDetectors, evaluateLine, newNightFacts, worstOutcome } from './evaluate-line.ts'
import type { Finding, Outcome } from './finding.ts'
import { evidence, isFinding, notEvaluated } from './finding.ts'
import type { HourRow } from './hours.ts'
import { lineHours } from './hours.ts'
import { leakageDrift } from './leakage-drift.ts'
import { leakageStep } from './leakage-step.ts'
import type { LineKind } from './line-kind.ts'
import { lineKind } from './line-kind.ts'
import { measures } from './measures.ts'

const today = 100
const usual: ParamsOf = (declaration) => defaultParams(declaration)
const breaker = families.find(({ key }) => key === 'breaker3p')
if (!breaker) throw new Error('there is a breaker of three phases')
const reported = new Map([
  ['leakage.trip', 300],
  ['overload.warning', 57],
])
const three = lineKind({ family: breaker, model: '3PN', ratedCurrentA: 63, reported })

/** Hours of the last 40 days, sound but for what is said. */
const hoursOf = (change: (day: number, hourOfDay: number) => Partial<HourRow> = () => ({})) =>
  lineHours(
    Array.from({ length: 40 * 24 }, (_, i): HourRow => {
      const [day, hourOfDay] = [today - 39 + Math.floor(i / 24), i % 24]
      const load = 0.4 + 0.2 * Math.sin(i / 4)
      return {
        ...{ hour: i, day, slot: hourOfDay, counts: true, residualMa: 20 },
        squareA2: [0, 1, 2].map((phase) => (63 * load * (1 + 0.05 * Math.sin(i + phase))) ** 2),
        maxA: [30, 30, 30],
        terminalC: [0, 1, 2, 3].map((terminal) => 25 + 32 * load ** 2 + 0.3 * Math.sin(i * (2 + terminal))),
        ...change(day, hourOfDay),
      }
    }),
  )

const days = Array.from({ length: 70 }, (_, nth) => today - 69 + nth)

/** A line that was sound for months. */
const sound: LineAtNight = {
  kind: three,
  today,
  isRestDayNext: false,
  conditions: { open: false, tagged: false, inspected: false, coverage: 1 },
  learntFrom: () => 0,
  hours: hoursOf(),
  leakage: days.map((day) => ({ day, floorMa: 20, peakMa: 22 })),
  arcs: days.map((day) => ({ day, hours: 0 })),
  voltages: days.map((day) => ({ day, knownMinutes: 1_440, outsideMinutes: 0 })),
  voltageMeans: Array.from({ length: 144 }, (_, ten) => ({ at: ten * 600_000, volts: [230, 231, 229] })),
  weeklyPeaks: three.currentPoints.map(() => new Float64Array(10).fill(30)),
  tests: [28, 31, 30, 29, 32, 30, 31, 29].map((tripMs, nth) => ({ at: nth * 30 * 86_400_000, tripMs })),
  wear: { share: 0.1, openings: 12 },
  airC: null,
  dailyContacts: [],
}

const outcomesOf = (change: Partial<LineAtNight> = {}, paramsOf = usual) =>
  new Map([...evaluateLine(paramsOf, { ...sound, ...change })].map(([{ key }, own]) => [key, own]))
const reasonsOf = (change: Partial<LineAtNight>) =>
  Object.fromEntries(
    [...outcomesOf(change)].map(([key, own]) => [
      key,
      own.map((each) => (each && 'notEvaluated' in each ? each.notEvaluated : each))[0],
    ]),
  )
const unmeasured: LineKind = {
  ...{ currentPoints: [], terminalPoints: [], voltagePoints: [], measuresResidual: false, measuresArcs: false, switches: false },
  ...{ voltageReference: 'phaseToNeutral', supplyV: 230, ratedA: 63, tripMa: 300, overloadWarningA: 57 },
  ...{ temperatureAlarmC: null, arcAlarm: null },
}

describe('which detectors are asked', () => {
  test.each<[string, Partial<LineKind>, readonly string[]]>([
    ['nothing that is measured', {}, []],
    ['residual current', { measuresResidual: true }, ['leakage.step', 'leakage.drift']],
    ['a switch', { switches: true }, ['wear']],
    [
      'a switch for residual current',
      { measuresResidual: true, switches: true },
      ['leakage.step', 'leakage.drift', 'wear', 'release.slow'],
    ],
    ['one current', { currentPoints: ['current.a'] }, ['load.growth', 'load.again']],
    ['one current and one terminal', { currentPoints: ['a'], terminalPoints: ['t'] }, ['load.growth', 'load.again']],
    [
      'one current and two terminals',
      { currentPoints: ['a'], terminalPoints: ['t', 'n'] },
      ['contact', 'load.growth', 'load.again'],
    ],
    ['two terminals without a current', { terminalPoints: ['t', 'n'] }, []],
    ['one voltage', { voltagePoints: ['a'] }, ['voltage.range']],
    ['two voltages', { voltagePoints: ['a', 'b'] }, ['voltage.range']],
    ['three voltages', { voltagePoints: ['a', 'b', 'c'] }, ['unbalance', 'voltage.range']],
    ['arcs', { measuresArcs: true }, ['arc.precursor']],
  ])('of %s', (_, change, expected) => {
    const kind = { ...unmeasured, ...change }
    expect([...outcomesOf({ kind }).keys()].toSorted()).toEqual(expected.toSorted())
    const measured = dailyDetectors.filter(({ key }) => measures(key, kind)).map(({ key }) => key)
    expect(measured.toSorted()).toEqual(expected.toSorted())
  })

  test('what is no daily detector has nothing to be missing', () => expect(measures('offline', unmeasured)).toBe(true))

  test('a rule that does not evaluate the line says nothing of it', () => {
    const outcomes = outcomesOf({}, (declaration) => (declaration.key === contact.key ? null : defaultParams(declaration)))
    expect(outcomes.has('contact')).toBe(false)
    expect(outcomes.get('leakage.step')).toEqual([null])
  })
})

test('a sound line is sound by every detector, each phase by itself', () => {
  const outcomes = outcomesOf({ kind: { ...three, measuresArcs: true } })
  expect([...outcomes.values()].flat().every((each) => each === null)).toBe(true)
  expect(outcomes.size).toBe(dailyDetectors.length)
  // The neutral's terminal carries a current that nobody measures.
  expect([outcomes.get('contact')?.length, outcomes.get('load.growth')?.length]).toEqual([3, 3])
})

test('of one phase the neutral carries the same current, and is compared too', () => {
  const kind = { ...three, currentPoints: ['current.a'], terminalPoints: ['temperature.a', 'temperature.n'] }
  const hours = hoursOf()
  const one = { ...hours, squareA2: hours.squareA2.slice(0, 1), terminalC: hours.terminalC.slice(0, 2) }
  expect(outcomesOf({ kind, hours: one }).get('contact')).toEqual([null, null])
})

describe('what keeps a line from being evaluated', () => {
  const compared = { contact: 'x', 'leakage.step': 'x', 'leakage.drift': 'x', 'load.growth': 'x', 'arc.precursor': 'x' }
  const conditioned = { 'load.again': 'x', unbalance: 'x', 'voltage.range': 'x' }
  const expected = (reason: string, closed: object) => ({
    ...Object.fromEntries(dailyDetectors.map(({ key }) => [key, null])),
    ...Object.fromEntries(Object.keys(closed).map((key) => [key, reason])),
  })
  const kind = { ...three, measuresArcs: true }

  test.each<[string, Partial<LineAtNight>, object]>([
    ['learning', { learntFrom: () => today - 13 }, compared],
    ['tagged', { conditions: { ...sound.conditions, tagged: true } }, { ...compared, ...conditioned }],
    ['inspected', { conditions: { ...sound.conditions, inspected: true } }, { ...compared, ...conditioned }],
    ['open', { conditions: { ...sound.conditions, open: true } }, { ...compared, ...conditioned }],
    ['coverage', { conditions: { ...sound.conditions, coverage: 0.49 } }, { ...compared, ...conditioned }],
  ])('%s: wear and release times are counted all the same', (reason, change, closed) =>
    expect(reasonsOf({ kind, ...change })).toEqual(expected(reason, closed)),
  )

  test('learning lasts fourteen days, and each detector learns by itself', () => {
    const learntFrom = (own: { readonly key: string }) => (own.key === contact.key ? today - 13 : today - 14)
    const reasons = reasonsOf({ learntFrom, leakage: sound.leakage })
    expect([reasons.contact, reasons['load.growth']]).toEqual(['learning', null])
  })

  test('without a rated current nothing is said of what is measured by it', () => {
    const reasons = reasonsOf({ kind: { ...three, ratedA: null } })
    expect(reasons).toMatchObject({ contact: 'settingUnknown', 'load.growth': 'settingUnknown', wear: 'settingUnknown' })
    expect(reasons).toMatchObject({ 'leakage.step': null, 'voltage.range': null })
  })

  test('without IΔn nothing is said of residual currents, without the warning limit not of a load that comes again', () => {
    const reasons = reasonsOf({ kind: { ...three, tripMa: null, overloadWarningA: null } })
    expect(reasons).toMatchObject({
      'leakage.step': 'settingUnknown',
      'leakage.drift': 'settingUnknown',
      'load.again': 'settingUnknown',
    })
  })
})

describe('residual current steps', () => {
  const stepped = hoursOf((day, hourOfDay) => (day === today && hourOfDay >= 20 ? { residualMa: 120 } : {}))
  const rising = sound.leakage.map((each) => (each.day > today - 4 ? { ...each, floorMa: 90 } : each))

  test('within hours, before its days show it', () =>
    expect(outcomesOf({ hours: stepped }).get('leakage.step')).toMatchObject([{ level: 'warning', evidence: { value: 120 } }]))
  test('by its days, and then that is its proof', () =>
    expect(outcomesOf({ hours: stepped, leakage: rising }).get('leakage.step')).toMatchObject([{ evidence: { value: 90 } }]))
  test('where only its hours say nothing its days still count', () =>
    expect(outcomesOf({ hours: lineHours([]), leakage: sound.leakage }).get('leakage.step')).toEqual([null]))
  test('days and hours before it was learnt anew are none to compare with', () => {
    const learntFrom = () => today - 20
    const before = sound.leakage.map((each) => (each.day < today - 20 ? { ...each, floorMa: 5 } : { ...each, floorMa: 60 }))
    expect(outcomesOf({ leakage: before, learntFrom }).get('leakage.step')).toEqual([null])
    const hours = hoursOf((day) => ({ residualMa: day < today - 20 ? 5 : 60 }))
    expect(outcomesOf({ hours, leakage: before, learntFrom }).get('leakage.step')).toEqual([null])
    expect(outcomesOf({ leakage: before, learntFrom }).get('leakage.drift')).toMatchObject([
      { notEvaluated: 'tooFewDays', have: 0 },
    ])
  })
})

test('arcs before it was learnt anew are none to compare with', () => {
  const kind = { ...three, measuresArcs: true }
  const arcs = days.map((day) => ({ day, hours: day < today - 20 ? 0 : 3 }))
  expect(outcomesOf({ kind, arcs, learntFrom: () => today - 20 }).get('arc.precursor')).toEqual([null])
})

describe('two rules that are tried on one night', () => {
  const hot = hoursOf((day, hourOfDay) => {
    const load = 0.4 + 0.2 * Math.sin(((day - today + 39) * 24 + hourOfDay) / 4)
    return { terminalC: [0, 12, 0, 0].map((excess) => 25 + (32 + 2 * excess) * load ** 2) }
  })
  const usualContact = defaultParams(contact)
  test.each<[string, Partial<typeof usualContact>]>([
    ['other limits', { noticeK: 15, warningK: 40 }],
    ['another fit', { minCurrentShare: 0.5 }],
    ['a load that is too low', { minLoad: 0.25 }],
  ])('share what is fitted and nothing else: %s', (_, change) => {
    const night = { hours: hot, facts: newNightFacts() }
    const rule =
      (more: object): ParamsOf =>
      (declaration) =>
        declaration.key === contact.key ? ({ ...usualContact, ...more } as never) : null
    const first = outcomesOf(night, rule({}))
    expect(first.get('contact')?.some(isFinding)).toBe(true)
    expect(outcomesOf(night, rule(change))).toEqual(outcomesOf({ hours: hot }, rule(change)))
    expect(outcomesOf(night, rule({}))).toEqual(first)
    expect(outcomesOf({ hours: hot }, rule({}))).toEqual(first)
  })
})

describe('rules of the residual current that are tried on one night', () => {
  const stepped = sound.leakage.map((each) => (each.day > today - 4 ? { ...each, floorMa: 55 } : each))
  const drifting = sound.leakage.map((each) => ({ ...each, floorMa: 20 + Math.max(0, 3 * (each.day - today + 29)) }))
  const hours = hoursOf((day, hourOfDay) => (day === today && hourOfDay >= 20 ? { residualMa: 120 } : {}))

  test.each<[string, WarningDetector, Partial<LineAtNight>, Readonly<Record<string, number>>]>([
    ['a step by its days: another decision', leakageStep, { leakage: stepped }, { decision: 16 }],
    ['a step by its days: a larger one', leakageStep, { leakage: stepped }, { stepShare: 0.3 }],
    ['a step by its days: a wider spread', leakageStep, { leakage: stepped }, { minSpreadMa: 10 }],
    ['a step within hours: a larger one', leakageStep, { hours }, { hourlyShare: 0.5 }],
    ['a step within hours: more deviations', leakageStep, { hours }, { hourlySpreads: 12, minSpreadMa: 10 }],
    ['a drift: more significant', leakageDrift, { leakage: drifting }, { significance: 8 }],
    ['a drift: steeper', leakageDrift, { leakage: drifting }, { riseShare: 0.5 }],
    ['a drift: sooner', leakageDrift, { leakage: drifting }, { horizonDays: 14 }],
  ])('share what they do not change and nothing else: %s', (_, of, line, change) => {
    const rule =
      (more: object): ParamsOf =>
      (declaration) =>
        declaration.key === of.key ? ({ ...defaultParams(of), ...more } as never) : null
    const untimed = (outcomes: readonly Outcome[] | undefined) =>
      outcomes?.map((each) => (isFinding(each) ? { ...each, evidence: { ...each.evidence, toLimit: null } } : each))
    const facts = newNightFacts()
    const usual = outcomesOf(line, rule({})).get(of.key)
    expect(usual?.some(isFinding)).toBe(true)
    const alone = outcomesOf(line, rule(change)).get(of.key)
    expect(outcomesOf({ ...line, facts }, rule({})).get(of.key)).toEqual(untimed(usual))
    expect(outcomesOf({ ...line, facts }, rule(change)).get(of.key)).toEqual(untimed(alone))
    expect(outcomesOf({ ...line, facts }, rule({})).get(of.key)).toEqual(untimed(usual))
  })
})

describe('the worst of several points', () => {
  const finding = (level: Finding['level'], value: number): Finding => ({
    ...{ key: leakageStep.key, point: null, level },
    evidence: evidence({ value, limit: 1, unit: '', used: 1 }),
  })
  const missing = notEvaluated('coverage', 1, 2)
  test.each<[string, readonly Outcome[], Outcome]>([
    ['nothing is nothing', [], null],
    ['sound', [null, missing], null],
    ['nobody could say anything', [missing, notEvaluated('open')], missing],
    ['the gravest', [finding('notice', 1), finding('alarm', 2), finding('warning', 3)], finding('alarm', 2)],
    ['the first of equal ones', [null, finding('warning', 1), finding('warning', 2)], finding('warning', 1)],
  ])('%s', (_, outcomes, expected) => expect(worstOutcome(outcomes)).toEqual(expected))
})
