import { expect, test } from 'vitest'
import { placeFilter } from './place-filter.ts'

test.each([
  [{ kind: 'all' }, {}],
  [{ kind: 'house', id: 7 }, { HouseID: 7 }],
  [{ kind: 'group', id: 3 }, { CityID: 3 }],
  [{ kind: 'gateway', house: 1, id: 4 }, { DeviceID: 4 }],
  [{ kind: 'device', house: 1, id: 'a-1' }, { ControllerID: 'a-1' }],
  [{ kind: 'line', house: 1, id: 9 }, { LineID: 9 }],
] as const)('the tree at %j narrows to it', (selection, filter) => {
  expect(placeFilter(selection)).toEqual(filter)
})
