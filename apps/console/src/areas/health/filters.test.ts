import { expect, test } from 'vitest'
import { lineFilter } from './filters.ts'

const filterOf = (address: Readonly<Record<string, string>>, text = '') =>
  lineFilter({ filter: (name) => address[name] ?? '' }, text)

test('the address names what is asked for', () => {
  expect(filterOf({ band: 'none', category: 'leakage' }, ' 注塑 ')).toEqual({ Band: 'none', Category: 'leakage', Text: '注塑' })
})

test('what is no filter is left out', () => {
  expect(filterOf({ band: 'bad', category: 'ceiling' })).toEqual({})
})
