import { expect, test } from 'vitest'
import { placeNames } from './alarm.ts'

test.each([
  ['a line', { HouseName: 'Mill', GatewayName: 'G1', LineName: 'Saw' }, ['Mill', 'G1', 'Saw']],
  ['a gateway', { HouseName: 'Mill', GatewayName: 'G1', LineName: null }, ['Mill', 'G1']],
  ['what is gone', { HouseName: null, GatewayName: null, LineName: null }, []],
  [
    'names with a slash, each whole',
    { HouseName: 'A / B', GatewayName: 'G / 1', LineName: '1 / 2' },
    ['A / B', 'G / 1', '1 / 2'],
  ],
])('an event happened on %s', (_, where, names) => expect(placeNames(where)).toEqual(names))
