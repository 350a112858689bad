import { families } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { columnGroups, hiddenBy } from './columns.ts'

test('energy is left out until somebody asks for it; what was left out before stays so', () => {
  expect(hiddenBy([])).toEqual(['energy'])
  expect(hiddenBy(['temperature'])).toEqual(['temperature', 'energy'])
  expect(hiddenBy(['energy'])).toEqual([])
})

test('every column is a point of some family', () => {
  const points = new Set(families.flatMap((family) => family.points.map(({ key }) => key)))
  expect(columnGroups.flatMap(({ columns }) => columns).filter(({ key }) => !points.has(key))).toEqual([])
})
