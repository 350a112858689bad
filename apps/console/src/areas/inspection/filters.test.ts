import { expect, test } from 'vitest'
import { placeOf, roundFilter } from './filters.ts'

const given = (values: Readonly<Record<string, string>>) => ({ filter: (name: string) => values[name] ?? '' })

test('the address filters by what it knows, and leaves out what it does not', () => {
  expect(
    roundFilter(given({ state: 'lapsed', kind: 'onSite', mine: 'yes', plan: '7' }), { kind: 'house', id: 3 }, ' 月检 '),
  ).toEqual({
    ...{ HouseID: 3, State: 'lapsed', Kind: 'onSite', PlanID: 7, Mine: true, Text: '月检' },
  })
  expect(roundFilter(given({ state: 'lost', kind: '1', mine: 'no', plan: '-1' }), { kind: 'all' }, ' ')).toEqual({})
})

test('whatever stands below a project is looked for in its project', () => {
  expect(placeOf({ kind: 'line', house: 3, id: 45 })).toEqual({ HouseID: 3 })
  expect(placeOf({ kind: 'group', id: 2 })).toEqual({ CityID: 2 })
})
