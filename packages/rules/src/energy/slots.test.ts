import { expect, test } from 'vitest'
import { civilZone, dateText, parseDate } from '../automation/civil-time.ts'
import { wallText } from '../automation/test-civil.ts'
import { clockQuarterOf, quarterMs, slotsOfDay, startOfDay } from './slots.ts'
import { daysOfTenYears, energyZones, firstDay } from './test-energy.ts'

const slotsOn = (zone: string, date: string) => slotsOfDay(civilZone(zone), parseDate(date)!)

test.each([
  ['Asia/Shanghai', '2026-03-29', 96],
  ['Europe/Berlin', '2026-03-29', 92],
  ['Europe/Berlin', '2026-10-25', 100],
  ['America/New_York', '2026-11-01', 100],
  ['Australia/Lord_Howe', '2026-10-04', 94],
  ['Australia/Lord_Howe', '2026-04-05', 98],
  ['America/Santiago', '2025-09-07', 92],
  ['America/Santiago', '2025-04-05', 100],
  ['Pacific/Apia', '2011-12-30', 0],
  ['Pacific/Apia', '2011-12-29', 96],
  ['Asia/Kathmandu', '2026-03-29', 96],
] as const)('%s %s has %i quarters', (zone, date, quarters) => expect(slotsOn(zone, date)).toHaveLength(quarters))

test('where no offset is a whole hour a day begins at a quarter all the same', () =>
  expect(slotsOn('Asia/Kathmandu', '2026-01-01')[0]).toBe(Date.parse('2025-12-31T18:15:00Z')))

test('both passes of a repeated hour show the same quarters of the clock', () => {
  const zone = civilZone('Europe/Berlin')
  const clock = slotsOn('Europe/Berlin', '2026-10-25').map((slot) => clockQuarterOf(zone, slot))
  expect(clock.slice(8, 16)).toEqual([8, 9, 10, 11, 8, 9, 10, 11])
})

test.each(energyZones)(
  'over ten years the quarters of %s follow each other without a hole, and days are made of them',
  (name) => {
    const zone = civilZone(name)
    let next = startOfDay(zone, firstDay)
    for (let day = firstDay; day < firstDay + daysOfTenYears; day++)
      for (const slot of slotsOfDay(zone, day)) {
        if (slot !== next) expect.fail(`${dateText(day)}: ${slot} after ${next}`)
        next += quarterMs
      }
    expect(next).toBe(startOfDay(zone, firstDay + daysOfTenYears))
  },
)

/** Days on which an offset changes and those beside them; in the long run all of ten years. */
const checked = (name: string) => {
  const zone = civilZone(name)
  const days = Array.from({ length: daysOfTenYears }, (_, index) => firstDay + index)
  if (process.env.TEST_LONG) return days
  return days.filter((day) => {
    const noon = Date.parse(`${dateText(day)}T12:00:00Z`)
    return zone.offsetMsAt(noon - 2 * 86_400_000) !== zone.offsetMsAt(noon + 86_400_000)
  })
}

test.each(energyZones)(
  'each quarter of a date of %s shows that date by Intl, and the quarters before and after do not',
  (name) => {
    const wrong: string[] = []
    for (const day of checked(name)) {
      const [slots, date] = [slotsOfDay(civilZone(name), day), dateText(day)]
      for (const slot of slots) if (!wallText(name, slot).startsWith(date)) wrong.push(`${date} ${slot}`)
      const [first, last] = [slots[0], slots.at(-1)]
      if (first !== undefined && wallText(name, first - quarterMs).startsWith(date)) wrong.push(`${date} begins before`)
      if (last !== undefined && wallText(name, last + quarterMs).startsWith(date)) wrong.push(`${date} ends after`)
    }
    expect(wrong).toEqual([])
  },
)
