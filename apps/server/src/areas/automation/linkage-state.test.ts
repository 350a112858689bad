import { familyOf } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PlantDevice, PlantLine } from '../../plant/plant.ts'
import { newLine } from '../../plant/plant.ts'
import type { StoredCondition, StoredLinkage } from '../../store/automation/linkage.ts'
import { foldNow, takeSame, takeSameOf } from './linkage-reports.ts'
import type { LiveLinkage } from './linkage-state.ts'
import { isAllHere, keptOf, newLiveLinkage } from './linkage-state.ts'

const family = familyOf('breaker3p')
if (!family) throw new Error('no family')
const slotOf = (key: string) => family.points.find((point) => point.key === key)?.slot ?? -1
const above = (key: string, forS = 0): StoredCondition => ({
  ...({ kind: 'point', lineId: 1, key, op: '>', value: 50 } as const),
  ...{ release: 5, forS },
})

const ingest = { hasValidPosition: () => true }

/** As it is evaluated, and beside it one of which everything is folded: neither fires, nor stands, as the other does not. */
function evaluated(made: () => LiveLinkage) {
  const [own, plain] = [made(), made()]
  let taken = 0
  return {
    own,
    /** How often nothing had to be folded. */
    taken: () => taken,
    /** What comes of a report of one line, or, where it is left out, of a look at all, which may report as well. */
    folds(now: number, { only, sampledToo = true }: { only?: PlantLine | undefined; sampledToo?: boolean } = {}) {
      const which = (line: PlantLine) => only === undefined || line === only
      const reads = own.reads.find(({ line }) => line === only)
      const isTaken = reads ? takeSameOf(ingest, reads, now) : takeSame(ingest, own, which, now, sampledToo)
      if (isTaken) taken++
      const firings = isTaken ? [] : foldNow(ingest, own, which, now)
      expect(firings).toEqual(foldNow(ingest, plain, which, now))
      return firings
    },
    periods() {
      for (const each of [own, plain]) each.followPeriods()
    },
    areAlike() {
      expect(own.state).toEqual(plain.state)
      expect([own.taken, own.stood]).toEqual([plain.taken, plain.stood])
    },
  }
}

/** A linkage that reads one line, which reports every ten seconds. */
function alone(...conditions: readonly StoredCondition[]) {
  const gateway = { link: 'online', reportingPeriodMs: 10_000, project: { id: 7 } }
  const device = { family, gateway, link: 'online', reportingPeriodMs: null }
  const line = newLine(1, device as unknown as PlantDevice, 1, 'l', 63)
  const linkage = { linkageId: 1, projectId: 7, version: 1, match: 'all', conditions } as unknown as StoredLinkage
  const both = evaluated(() => newLiveLinkage({ lines: new Map([[1, line]]) } as never, linkage, { kept: null, before: null }, 0))
  return {
    own: both.own,
    /** What a message carries; `age`: how long before it came it was measured. */
    reports(second: number, amperes: Readonly<Record<string, number>>, age = 0) {
      const now = second * 1_000
      Object.assign(line, { liveAt: now - age * 1_000, liveReceivedAt: now })
      for (const [key, value] of Object.entries(amperes)) {
        line.values[slotOf(key)] = value
        line.valuesReceivedAt[slotOf(key)] = now
      }
      const firings = both.folds(now).map(({ at, mayClose }) => [at / 1_000, mayClose])
      both.areAlike()
      return firings
    },
  }
}

test('what messages leave out stands and trips, and closes nothing until it is reported again', () => {
  const { own, reports } = alone(above('current.a'), above('current.b'))
  expect(reports(10, { 'current.a': 1, 'current.b': 60 })).toEqual([])
  for (const second of [20, 30, 40]) expect(reports(second, { 'current.a': 1 })).toEqual([])
  expect(own.state.conditions.map(({ goodAt, isOld }) => [goodAt, isOld])).toEqual([
    [40_000, false],
    [40_000, true],
  ])
  // It is the first phase that rises, before everybody's eyes.
  expect(reports(50, { 'current.a': 60 })).toEqual([[50, true]])
})

test('a duration of a value that is reported once goes on while its line reports, and trips only', () => {
  const { reports } = alone(above('current.a', 60))
  reports(10, { 'current.a': 1 })
  reports(20, { 'current.a': 60 })
  for (let second = 30; second < 80; second += 10) expect(reports(second, { 'current.b': second })).toEqual([])
  expect(reports(80, { 'current.b': 1 })).toEqual([[80, false]])
})

test('a line that reports nothing at all for three periods makes unknown what it reported before', () => {
  const { own, reports } = alone(above('current.a', 60))
  reports(10, { 'current.a': 1 })
  reports(20, { 'current.a': 60 })
  expect(foldNow(ingest, own, () => true, 80_000)).toEqual([])
  expect(own.state.unknownSince).not.toBeNull()
})

test('two messages that come in one commit are both taken, each of its own time', () => {
  const { own, reports } = alone(above('current.a'), above('current.b'))
  reports(10, { 'current.a': 1, 'current.b': 60 })
  const line = own.lines[0]
  line?.values.fill(60, slotOf('current.a'), slotOf('current.a') + 1)
  line?.valuesReceivedAt.fill(12_000, slotOf('current.a'), slotOf('current.a') + 1)
  expect(reports(13, { 'current.b': 60 })).toEqual([[12, true]])
})

test('a value that was measured more than five seconds before it came trips and closes nothing', () => {
  const risen = (age: number) => {
    const { reports } = alone(above('current.a'))
    reports(10, { 'current.a': 1 })
    return reports(20, { 'current.a': 60 }, age)
  }
  expect(risen(5)).toEqual([[20, true]])
  expect(risen(6)).toEqual([[20, false]])
})

test('what comes after a clock was set back by too little to notice is taken all the same, once', () => {
  const { own, reports } = alone(above('current.a'))
  reports(10, { 'current.a': 1 })
  expect(reports(9, { 'current.a': 60 })).toEqual([[10.001, true]])
  expect(foldNow(ingest, own, () => true, 9_500)).toEqual([])
  expect(own.state.conditions).toMatchObject([{ lastAt: 10_001 }])
})

test('what was read of a line stands for nothing once the line is in the project no more, and counts again when it is back', () => {
  const { own, reports } = alone(above('current.a'))
  reports(10, { 'current.a': 60 })
  const lines = new Map(own.lines.map((line) => [1, line] as const))
  const again = (there: ReadonlyMap<number, unknown>, project: number, before: typeof own) =>
    newLiveLinkage({ lines: there } as never, { ...own.linkage, projectId: project }, { kept: null, before }, 10_000)
  for (const without of [again(new Map(), 7, own), again(lines, 8, own)]) {
    expect(without.state.conditions).toMatchObject([{ value: null, met: false, known: true }])
    expect(foldNow(ingest, without, () => true, 11_000)).toEqual([])
    expect(again(lines, 7, without).lines).toEqual(own.lines)
  }
  expect(again(lines, 7, own).state.conditions).toMatchObject([{ value: 60, met: true }])
})

test('all that it reads is here where every line is known and reported, or the database has found that it is gone', () => {
  const { own } = alone(above('current.a'))
  expect([isAllHere(own, () => true), isAllHere(own, () => false)]).toEqual([true, false])
  const haltedFor = (why: 'maxPerDay' | 'broken' | null) =>
    isAllHere({ linkage: { ...own.linkage, halted: why && { why, at: 0 } }, lines: [...own.lines, null] }, () => true)
  expect([haltedFor(null), haltedFor('maxPerDay'), haltedFor('broken')]).toEqual([false, false, true])
})

test('what is stored of a linkage reaches up to the first rise of which nothing is stored, or is stored with it', () => {
  const { own, reports } = alone(above('current.a'))
  reports(10, { 'current.a': 1 })
  const [first, second] = [{ before: own.state }, { before: { ...own.state, clock: 30_000 } }]
  reports(40, { 'current.a': 60 })
  const clockOf = (...given: [] | [typeof first]) => keptOf(own, ...given).state.clock
  expect(clockOf()).toBe(40_000)
  own.unstored.push(first, second)
  expect([clockOf(), clockOf(first)]).toEqual([10_000, 30_000])
  own.unstored.pop()
  expect([clockOf(), clockOf(first)]).toEqual([10_000, 40_000])
})

const reading = (lineId: number, kind: StoredCondition['kind'], key: string, op: '>' | '=', value: number, forS: number) =>
  ({ kind, lineId, key, op, value, release: kind === 'point' ? 5 : 0, forS }) satisfies StoredCondition
const anyCondition = fc.record({
  what: fc.constantFrom(
    ...(['current.a', 'current.b'] as const).map((key) => ['point', key, '>', 50] as const),
    ...([
      ['state', 'position', '=', 0],
      ['alarm', 'overload.alarm', '=', 1],
      ['link', 'link', '=', 0],
    ] as const),
  ),
  lineId: fc.constantFrom(1, 2),
  forS: fc.constantFrom(0, 0, 12),
})
const anyStep = fc.record({
  waitMs: fc.constantFrom(0, 0, 1, 400, 1_000, 1_000, 9_000, 10_000, 35_000),
  lineId: fc.constantFrom(1, 2),
  does: fc.constantFrom(
    ...(['report', 'report', 'report', 'report', 'look', 'look', 'part', 'other', 'open', 'close'] as const),
    ...odd(),
  ),
  amperes: fc.array(fc.constantFrom(1, 47, 48, 49, 60, Number.NaN), { minLength: 2, maxLength: 2 }),
})
function odd() {
  return ['old', 'clockOff', 'raise', 'return', 'away', 'back', 'period', 'setBack'] as const
}

test('whatever is reported, kept back, missing or late, what is taken without folding stands and fires as if it had been folded', () => {
  let [taken, steps] = [0, 0]
  const conditionsOf = fc.array(anyCondition, { minLength: 1, maxLength: 4 })
  fc.assert(
    fc.property(fc.constantFrom('all', 'any'), conditionsOf, fc.array(anyStep, { maxLength: 60 }), (match, made, all) => {
      const gateway = { link: 'online', reportingPeriodMs: 10_000, project: { id: 7 } }
      const device = { family, gateway, link: 'online', reportingPeriodMs: null as number | null }
      const lines = new Map([1, 2].map((id) => [id, newLine(id, device as unknown as PlantDevice, id, `l${id}`, 63)]))
      const conditions = made.map(({ what: [kind, key, op, value], lineId, forS }) => reading(lineId, kind, key, op, value, forS))
      const linkage = { linkageId: 1, projectId: 7, version: 1, match, conditions } as unknown as StoredLinkage
      let [now, wasLookedAt] = [1_000_000, false]
      const both = evaluated(() => newLiveLinkage({ lines } as never, linkage, { kept: null, before: null }, now))
      for (const { waitMs, lineId, does, amperes } of all) {
        now += does === 'setBack' ? -Math.round(waitMs / 4) : waitMs
        const line = lines.get(lineId)!
        if (does === 'away' || does === 'back') device.link = does === 'away' ? 'offline' : 'online'
        if (does === 'period') device.reportingPeriodMs = ([null, 0, 5_000] as const)[waitMs % 3] ?? null
        if (does === 'raise') line.alarms.set('overload.alarm', { key: 'overload.alarm' } as never)
        if (does === 'return') line.alarms.clear()
        if (does === 'open' || does === 'close') line.states.set('position', does === 'open' ? 'open' : 'closed')
        if (['report', 'part', 'other', 'old', 'clockOff'].includes(does)) {
          Object.assign(line, { liveAt: now - (does === 'old' ? 6_000 : 0), liveReceivedAt: now, clockGood: does !== 'clockOff' })
          for (const [index, key] of ['current.a', 'current.b'].entries()) {
            if (does === (index === 0 ? 'other' : 'part')) continue
            line.values[slotOf(key)] = amperes[index] ?? 0
            line.valuesReceivedAt[slotOf(key)] = now
          }
        }
        both.periods()
        both.folds(now, { only: does === 'look' ? undefined : line, sampledToo: !wasLookedAt })
        wasLookedAt ||= does === 'look'
        if (waitMs === 400) both.areAlike()
      }
      both.areAlike()
      taken += both.taken()
      steps += all.length
    }),
    { numRuns: 300 },
  )
  expect(taken).toBeGreaterThan(steps / 10)
})
