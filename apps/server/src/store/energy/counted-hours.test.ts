import { hourMs, minuteMs } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { countedHours } from './counted-hours.ts'
import { energyHouse, main, midnight } from './test-energy.ts'

const house = energyHouse()
const hours = async (periodMs: number, from = midnight, to = midnight + 6 * hourMs) =>
  [...(await countedHours(house.database, { lineId: main, periodMs }, from, to))]
    .map((at) => (at - midnight) / hourMs)
    .toSorted((one, other) => one - other)

test('a register is known where two hours meet that were counted whole, at the ends of the question too', async () => {
  await house.bring(main, midnight - hourMs, [1, 1, 1, Number.NaN, 1, 1, 1, 1])
  expect(await hours(minuteMs)).toEqual([0, 1, 4, 5, 6])
  expect(await hours(minuteMs, midnight + hourMs, midnight + 4 * hourMs)).toEqual([1, 4])
})

test('it is not where one of the two has too few reports, by what the line sends now or by what it sent in its other hours', async () => {
  await house.bring(main, midnight, [1, 1, 1, 1, 1])
  await house.client.query('update reading_hour set count = 53 where hour = $1', [new Date(midnight + 2 * hourMs)])
  expect(await hours(minuteMs)).toEqual([1, 4])
  expect(await hours(2 * minuteMs)).toEqual([1, 4])
  expect(await hours(minuteMs / 2)).toEqual([])
  expect(await hours(0)).toEqual([])
})
