import type { Family, LimitAlarm } from '@linewarden/equipment'
import { families, familyOf } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import type { LimitSource } from './limits.ts'
import { compileLimits, limitOf } from './limits.ts'

const familyNamed = (key: string): Family => {
  const family = familyOf(key)
  if (!family) throw new Error(`no family ${key}`)
  return family
}

const limitAlarm = (family: Family, key: string): LimitAlarm => {
  const alarm = family.alarms.find((each) => each.key === key)
  if (alarm?.on !== 'limit') throw new Error(`no limit alarm ${key}`)
  return alarm
}

const breaker = familyNamed('breaker3p')

/** A 63 A line that reports no settings: everything stands at its default. */
const healthy: LimitSource = { family: breaker, model: '3P', ratedCurrentA: 63, reported: new Map() }

const limit = (key: string, difference: Partial<LimitSource> = {}) =>
  limitOf(limitAlarm(breaker, key).limit, { ...healthy, ...difference })

describe('a limit is', () => {
  test.each([
    ['residual.notice', 90],
    ['residual.warning', 150],
    ['residual.alarm', 240],
    ['current.warning', 50.4],
    ['current.alarm', 63],
    ['temperature.warning', 68],
    ['temperature.alarm', 80],
    ['voltage.over', 265],
    ['voltage.under', 175],
  ])('for %s %d by default', (key, value) => {
    expect(limit(key)).toBeCloseTo(value, 9)
  })

  test('a share of what the equipment reports', () => {
    expect(limit('residual.alarm', { reported: new Map([['leakage.trip', 30]]) })).toBeCloseTo(24, 9)
  })

  test('what is reported, though the rated current is unknown', () => {
    expect(limit('current.alarm', { ratedCurrentA: null, reported: new Map([['overload.alarm', 40]]) })).toBe(40)
  })

  test('not known when it is a multiple of an unknown rated current', () => {
    expect(limit('current.alarm', { ratedCurrentA: null })).toBeNull()
  })

  test('not known when the family has no such setting', () => {
    expect(limitOf(limitAlarm(breaker, 'residual.alarm').limit, { ...healthy, family: familyNamed('smoke') })).toBeNull()
  })

  test('the edge of the band for models listed by name or marker', () => {
    expect(limit('voltage.over', { model: '3PN_S' })).toBe(350)
    expect(limit('voltage.under', { model: '3PN_S' })).toBe(120)
  })

  test('a fixed figure where the family says so', () => {
    const smoke = familyNamed('smoke')
    expect(limitOf(limitAlarm(smoke, 'battery.low').limit, { ...healthy, family: smoke })).toBe(15)
  })
})

describe('compiled limits', () => {
  test.each(families.map((family) => [family.key, family] as const))('of %s: one for every alarm and point', (_, family) => {
    const compiled = compileLimits({ ...healthy, family }).map(({ alarm, point }) => `${alarm.key}@${point}`)
    const wanted = family.alarms.flatMap((alarm) =>
      alarm.on === 'limit' ? alarm.points.map((point) => `${alarm.key}@${point}`) : [],
    )
    expect(compiled).toEqual(wanted)
  })

  test.each(families.map((family) => [family.key, family] as const))('of %s read the slot of their point', (_, family) => {
    for (const { point, slot, unit } of compileLimits({ ...healthy, family })) {
      const from = family.points.find(({ key }) => key === point)
      expect({ slot, unit }).toEqual({ slot: from?.slot, unit: from?.unit })
    }
  })

  test('leave out what cannot be evaluated, and only that', () => {
    const without = compileLimits({ ...healthy, ratedCurrentA: null }).map(({ alarm }) => alarm.key)
    expect(without.filter((key) => key.startsWith('current.'))).toEqual([])
    expect(without).toContain('residual.alarm')
  })

  test('leave out points the family does not have', () => {
    const points = breaker.points.filter(({ key }) => key !== 'voltage.b')
    const voltages = compileLimits({ ...healthy, family: { ...breaker, points } }).filter(({ unit }) => unit === 'V')
    expect([...new Set(voltages.map(({ point }) => point))]).toEqual(['voltage.a', 'voltage.c'])
  })

  test('return an over alarm below the limit, an under alarm above it', () => {
    const found = (key: string) => compileLimits(healthy).find(({ alarm }) => alarm.key === key)
    const over = found('voltage.over')
    const under = found('voltage.under')
    expect([over?.sign, over?.limit, (over?.release ?? 0) * (over?.sign ?? 0)]).toEqual([1, 265, 265 - 5.3])
    expect([under?.sign, under?.limit, (under?.release ?? 0) * (under?.sign ?? 0)]).toEqual([-1, 175, 175 + 3.5])
  })

  test('never raise and return at the same value', () => {
    for (const family of families)
      for (const { trigger, release } of compileLimits({ ...healthy, family })) expect(release).toBeLessThanOrEqual(trigger)
  })

  test('keep what counts as no supply', () => {
    const ignored = (key: string) => compileLimits(healthy).find(({ alarm }) => alarm.key === key)?.ignoreAtOrBelow
    expect(ignored('voltage.under')).toBe(35)
    expect(ignored('voltage.over')).toBe(Number.NEGATIVE_INFINITY)
  })
})
