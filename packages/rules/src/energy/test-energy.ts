import fc from 'fast-check'
import type { CivilDay, CivilZone } from '../automation/civil-time.ts'
import { civilZone, parseDate } from '../automation/civil-time.ts'
import type { UsualCourse } from './course.ts'
import type { RegisterReading } from './register.ts'
import { quarterMs } from './slots.ts'

/** Zones of the laws of energy: clocks that change by an hour, by half of one, at midnight, over a whole date, by no rule, never. */
export const energyZones = [
  'Asia/Shanghai',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Santiago',
  'Pacific/Apia',
  'Africa/Casablanca',
] as const

/** Ten years from the week in which Samoa left out a date. */
export const firstDay: CivilDay = parseDate('2011-12-26')!
export const daysOfTenYears = 3_653

/** Dates around which clocks change somewhere. */
const changes = [
  '2011-12-29',
  '2013-03-30',
  '2014-04-05',
  '2016-10-01',
  '2018-11-03',
  '2019-04-06',
  '2020-10-24',
  '2021-05-15',
] as const

export const anyDay: fc.Arbitrary<CivilDay> = fc.oneof(
  fc.integer({ min: firstDay, max: firstDay + daysOfTenYears - 1 }),
  fc.tuple(fc.constantFrom(...changes), fc.integer({ min: -1, max: 2 })).map(([date, days]) => parseDate(date)! + days),
)
export const anyZone: fc.Arbitrary<CivilZone> = fc.constantFrom(...energyZones).map(civilZone)

const minuteMs = 60_000

/** Readings of a register that only rises, by minutes from `from` on, with silences of up to two days. */
export const risingFrom = (from: number): fc.Arbitrary<readonly RegisterReading[]> =>
  fc
    .array(
      fc.tuple(
        fc.oneof(
          { weight: 6, arbitrary: fc.integer({ min: 1, max: 12 }) },
          { weight: 1, arbitrary: fc.integer({ min: 13, max: 2_880 }) },
        ),
        fc.integer({ min: 0, max: 40 }),
      ),
      { minLength: 2, maxLength: 60 },
    )
    .map((steps) => {
      let [at, tenths] = [from, 1_000]
      return steps.map(([minutes, rise]) => {
        at += minutes * minuteMs
        tenths += rise
        return { at, kwh: tenths / 10, quality: 0 }
      })
    })

/** Silences are spread evenly. */
export const evenly: UsualCourse = () => null

/** A course that differs by the quarter, and never by who asks. */
export const byClock: UsualCourse = (_gapFrom, slot) => 50 + ((slot / quarterMs) % 96)
