import { expect, test } from 'vitest'
import { orderFilter } from './filters.ts'

const filterOf = (address: Readonly<Record<string, string>>, text = '') =>
  orderFilter({ filter: (name) => address[name] ?? '' }, { kind: 'all' }, text)

test('the address names what is asked for', () => {
  const person = '4a7b6c1d-0000-4000-8000-000000000001'
  const address = { view: 'overdue', status: 'dispatched', priority: 'critical', type: 'repair', person }
  expect(filterOf(address, ' 漏电 ')).toEqual({
    ...{ View: 'overdue', Status: 'dispatched', Priority: 'critical', Type: 'repair', PersonID: person, Text: '漏电' },
  })
})

test('what is no filter is left out', () => {
  expect(filterOf({ view: 'x', status: 'gone', priority: '', type: '1', person: 'me' })).toEqual({})
})

test('the place that is chosen narrows it', () => {
  expect(orderFilter({ filter: () => '' }, { kind: 'house', id: 3 }, '')).toEqual({ HouseID: 3 })
})
