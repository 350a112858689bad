import { dayMs } from '@linewarden/equipment'
import { dateText } from '@linewarden/rules/automation'
import { quarterMs } from '@linewarden/rules/energy'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readQuarters } from './read.ts'
import { readSums } from './read-sums.ts'
import { day, energyHouse, main } from './test-energy.ts'

const house = energyHouse()
const quarters = 96

/** A row of one mark, or of any marks; what is missing has no energy. */
const rowOf = fc.oneof(
  fc.constant(new Array<number>(quarters).fill(0)),
  fc.array(fc.constantFrom(0, 1, 2, 3, 4), { minLength: quarters, maxLength: quarters }),
)
const store = async (on: number, how: readonly number[]) => {
  const wh = how.map((mark, place) => (mark === 4 ? null : 100 * on + place))
  await house.client.query(
    `insert into energy_quarter (line_id, day, wh, how) values ($1, $2, $3, $4)
     on conflict (line_id, day) do update set wh = excluded.wh, how = excluded.how`,
    [main, dateText(day + on), wh, Buffer.from(how)],
  )
}

test('a sum is what its quarters add up to, whatever is known of its rows, wherever it begins and ends, and whatever they were before', async () => {
  const question = fc.tuple(fc.nat({ max: 3 * quarters - 1 }), fc.nat({ max: 3 * quarters - 1 }))
  await fc.assert(
    fc.asyncProperty(fc.array(rowOf, { minLength: 3, maxLength: 3 }), question, async (rows, [one, other]) => {
      for (const [on, how] of rows.entries()) await store(on, how)
      const at = (slot: number) => day * dayMs + slot * quarterMs
      const stretch = { lineId: main, from: at(Math.min(one, other)), to: at(Math.max(one, other) + 1) }
      const { wh, how } = await readQuarters(house.database, main, stretch.from, stretch.to)
      const sumOf = (mark: number | null) =>
        wh.reduce<number>((sum, each, place) => sum + (mark === null || how[place] === mark ? (each ?? 0) : 0), 0)
      expect(await readSums(house.database, [stretch])).toEqual([
        {
          ...{ used: sumOf(null), known: wh.filter((each) => each !== null).length },
          ...{ spread: sumOf(1), estimated: sumOf(2), entered: sumOf(3) },
        },
      ])
    }),
    { numRuns: 40 },
  )
})

test('a row from before there were sums is summed by its quarters', async () => {
  await store(0, new Array<number>(quarters).fill(0))
  await house.client.query('alter table energy_quarter disable trigger energy_row_measured')
  await house.client.query('update energy_quarter set measured_wh = null')
  await house.client.query('alter table energy_quarter enable trigger energy_row_measured')
  const whole = { lineId: main, from: day * dayMs, to: (day + 1) * dayMs }
  expect(await readSums(house.database, [whole])).toMatchObject([{ used: (95 * 96) / 2, known: quarters }])
})
