import { expect, test } from 'vitest'
import { placeOf } from './wire.ts'

test.each([
  ['1/current.a', { of: 'point', line: 1, key: 'current.a' }],
  ['smoke', { of: 'point', line: 0, key: 'smoke' }],
  ['settings/2/leakage.trip', { of: 'setting', line: 2, key: 'leakage.trip' }],
  ['settings/overvoltage', { of: 'setting', line: 0, key: 'overvoltage' }],
  ['info/model', { of: 'info', line: 0, key: 'model' }],
  ['3/info/ratedCurrent', { of: 'info', line: 3, key: 'ratedCurrent' }],
  ['command/result/id', { of: 'result', key: 'id' }],
])('%s has its place', (name, place) => {
  expect(placeOf(name)).toEqual(place)
})

test.each(['', '/', '1/', '0/current.a', '1/a/b', 'settings', 'settings/1', 'command/id', 'a/b', '12345/current.a'])(
  '%j has no place',
  (name) => {
    expect(placeOf(name)).toBeNull()
  },
)
