import { parseDate } from '@linewarden/rules/automation'
import { describe, expect, test } from 'vitest'
import { restDays } from './rest-days.ts'

const shanghai = { timeZone: 'Asia/Shanghai' }
const entered = (date: string, dayClass: 'workday' | 'restday' | 'holiday' | 'special') =>
  ({ date, class: dayClass, name: '', origin: 'person' }) as const

describe('a day on which nobody works, for hours alike', () => {
  test.each<[string, string, boolean]>([
    ['a Friday', '2026-11-27', false],
    ['a Saturday', '2026-11-28', true],
    ['a Sunday', '2026-11-29', true],
    ['a Thursday of the National Day', '2026-10-01', true],
    ['a Saturday that is worked for it', '2026-10-10', false],
    ['a Friday that people entered as a holiday', '2026-11-20', true],
    ['a Sunday that people entered as worked', '2026-11-22', false],
    ['a special day', '2026-11-18', true],
  ])('%s', (_, date, isRest) => {
    const isRestDay = restDays(shanghai, [
      entered('2026-11-20', 'holiday'),
      entered('2026-11-22', 'workday'),
      entered('2026-11-18', 'special'),
    ])
    expect(isRestDay(parseDate(date) ?? 0)).toBe(isRest)
  })
  test('outside China no Chinese holiday', () =>
    expect(restDays({ timeZone: 'Europe/Berlin' }, [])(parseDate('2026-10-01') ?? 0)).toBe(false))
})
