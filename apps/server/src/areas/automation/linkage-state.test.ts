import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import type { Ingest } from '../../field/ingest.ts'
import type { PlantDevice } from '../../plant/plant.ts'
import { newLine } from '../../plant/plant.ts'
import type { StoredCondition, StoredLinkage } from '../../store/automation/linkage.ts'
import { foldNow, isAllHere, keptOf, newLiveLinkage } from './linkage-state.ts'

const family = familyOf('breaker3p')
if (!family) throw new Error('no family')
const slotOf = (key: string) => family.points.find((point) => point.key === key)?.slot ?? -1
const above = (key: string, forS = 0): StoredCondition => ({
  ...({ kind: 'point', lineId: 1, key, op: '>', value: 50 } as const),
  ...{ release: 5, forS },
})

/** A linkage that reads one line, which reports every ten seconds. */
function alone(...conditions: readonly StoredCondition[]) {
  const gateway = { link: 'online', reportingPeriodMs: 10_000, project: { id: 7 } }
  const device = { family, gateway, link: 'online', reportingPeriodMs: null }
  const line = newLine(1, device as unknown as PlantDevice, 1, 'l', 63)
  const linkage = { linkageId: 1, projectId: 7, version: 1, match: 'all', conditions } as unknown as StoredLinkage
  const own = newLiveLinkage({ lines: new Map([[1, line]]) } as never, linkage, { kept: null, before: null }, 0)
  return {
    own,
    /** What a message carries; `age`: how long before it came it was measured. */
    reports(second: number, amperes: Readonly<Record<string, number>>, age = 0) {
      const now = second * 1_000
      Object.assign(line, { liveAt: now - age * 1_000, liveReceivedAt: now })
      for (const [key, value] of Object.entries(amperes)) {
        line.values[slotOf(key)] = value
        line.valuesReceivedAt[slotOf(key)] = now
      }
      return foldNow({} as Ingest, own, () => true, now).map(({ at, mayClose }) => [at / 1_000, mayClose])
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
  expect(foldNow({} as Ingest, own, () => true, 80_000)).toEqual([])
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
  expect(foldNow({} as Ingest, own, () => true, 9_500)).toEqual([])
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
    expect(foldNow({} as Ingest, without, () => true, 11_000)).toEqual([])
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
