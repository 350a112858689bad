import { describe, expect, test } from 'vitest'
import { dayIn, dueOf, endOfLife, isDay, lifeProblems } from './life.ts'

const zone = 'Asia/Shanghai'
/** Noon in Shanghai. */
const now = Date.UTC(2026, 0, 15, 4)

describe('the end of a service life', () => {
  test.each([
    ['2020-05-01', 10, '2030-05-01'],
    ['2024-02-29', 4, '2028-02-29'],
    ['2024-02-29', 1, '2025-02-28'],
    ['2024-12-31', 50, '2074-12-31'],
  ])('%s and %s years is %s', (installedOn, serviceYears, end) => expect(endOfLife({ installedOn, serviceYears })).toBe(end))

  test('is not known when its beginning or its length is not', () => {
    expect(endOfLife({ installedOn: null, serviceYears: 10 })).toBeNull()
    expect(endOfLife({ installedOn: '2020-05-01', serviceYears: null })).toBeNull()
  })
})

describe('what lasts until a day', () => {
  test.each([
    ['2026-01-14', 'expired'],
    ['2026-01-15', 'expiring'],
    ['2026-04-15', 'expiring'],
    ['2026-04-16', 'good'],
  ])('%s is %s', (until, due) => expect(dueOf(until, zone, now)).toBe(due))

  test('is neither when nobody wrote it down', () => expect(dueOf(null, zone, now)).toBeNull())

  test('ends with the day of the place where it stands', () => {
    // 00:30 of the 16th in Shanghai, still the 15th in Berlin and in Los Angeles.
    const late = Date.UTC(2026, 0, 15, 16, 30)
    expect([zone, 'Europe/Berlin', 'America/Los_Angeles'].map((each) => dayIn(each, late))).toEqual([
      '2026-01-16',
      '2026-01-15',
      '2026-01-15',
    ])
    expect([dueOf('2026-01-15', zone, late), dueOf('2026-01-15', 'Europe/Berlin', late)]).toEqual(['expired', 'expiring'])
  })

  test('counts days and not hours where clocks change in between', () => {
    expect(dueOf('2026-06-28', 'Europe/Berlin', Date.UTC(2026, 2, 30, 10))).toBe('expiring')
    expect(dueOf('2026-06-29', 'Europe/Berlin', Date.UTC(2026, 2, 30, 10))).toBe('good')
  })
})

test.each([
  ['2026-02-28', true],
  ['2026-02-29', false],
  ['2024-02-29', true],
  ['2026-13-01', false],
  ['26-1-1', false],
  ['2026-01-01T00:00', false],
])('%s is a day: %s', (text, is) => expect(isDay(text)).toBe(is))

describe('what somebody wrote down', () => {
  const problems = (life: Partial<Parameters<typeof lifeProblems>[0]>) =>
    lifeProblems({ installedOn: null, warrantyUntil: null, serviceYears: null, ...life }, zone, now).map(
      ({ field, problem }) => `${field} ${problem}`,
    )

  test('may be nothing, or all of it', () => {
    expect(problems({})).toEqual([])
    expect(problems({ installedOn: '2026-01-15', warrantyUntil: '2026-01-15', serviceYears: 50 })).toEqual([])
    expect(problems({ warrantyUntil: '2020-01-01' })).toEqual([])
    expect(problems({ installedOn: '1970-01-01', warrantyUntil: '2099-12-31' })).toEqual([])
  })

  test.each([
    [{ installedOn: '2026-01-16' }, 'installedOn not yet'],
    [{ installedOn: '2025-02-30' }, 'installedOn no day'],
    [{ installedOn: '1969-12-31' }, 'installedOn out of range'],
    [{ warrantyUntil: '2100-01-01' }, 'warrantyUntil out of range'],
    [{ installedOn: '2025-05-01', warrantyUntil: '2025-04-30' }, 'warrantyUntil before installation'],
    [{ serviceYears: 0 }, 'serviceYears out of range'],
    [{ serviceYears: 51 }, 'serviceYears out of range'],
    [{ serviceYears: 2.5 }, 'serviceYears out of range'],
  ])('%o is refused', (life, problem) => expect(problems(life)).toEqual([problem]))
})
