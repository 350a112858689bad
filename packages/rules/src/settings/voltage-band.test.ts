import { families } from '@linewarden/equipment'
import { describe, expect, test } from 'vitest'
import { listedBand, supplyVoltage, voltageBand } from './voltage-band.ts'

const others = { over: [235, 265], under: [175, 205] }

describe('specification 9', () => {
  test.each([
    ['3P_H', [0, 500], [0, 500]],
    ['2P_H', [270, 280], [160, 170]],
    ['1PN_H', [270, 280], [160, 170]],
    ['a1NWrOwdXKN', [55, 65], [35, 45]],
    ['3PN_S', [255, 350], [120, 195]],
    ['1PN_Z', [58, 60], [40, 48]],
    ['3P', others.over, others.under],
    ['', others.over, others.under],
  ])('%s: over %j, under %j', (model, over, under) => {
    expect(voltageBand(model)).toEqual({ over, under })
  })
})

describe('a row holds', () => {
  test('for the whole name: 3P_H stands before the marker it contains', () => {
    expect(voltageBand('3P_H')).not.toEqual(voltageBand('2P_H'))
    expect(voltageBand('3P_H2')).toEqual(voltageBand('2P_H'))
  })

  test('for the marker anywhere in the name', () => {
    expect(voltageBand('X_Z_2')).toEqual(voltageBand('1PN_Z'))
  })

  test.each(['3PN_S1', 'A3PN_S', 'a1NWrOwdXK', 'xa1NWrOwdXKN', '3p_h', 'PH', 'PZ', '_h', '_z'])(
    'not for %s, which only looks like it',
    (model) => {
      expect(voltageBand(model)).toEqual(others)
      expect(listedBand(model)).toBeNull()
    },
  )

  test('in the order of the specification when two markers stand in one name', () => {
    expect(voltageBand('4P_Z_H')).toEqual(voltageBand('2P_H'))
  })
})

test('every model we know has a band that is the right way round', () => {
  for (const model of families.flatMap((family) => family.models)) {
    const { over, under } = voltageBand(model)
    expect(over[0]).toBeLessThan(over[1])
    expect(under[0]).toBeLessThan(under[1])
  }
})

test('the usual supply of every listed model lies between its bands', () => {
  for (const model of ['2P_H', 'a1NWrOwdXKN', '3PN_S', '1PN_Z', '1P']) {
    const { over, under } = voltageBand(model)
    expect(supplyVoltage(model)).toBeLessThan(over[1])
    expect(supplyVoltage(model)).toBeGreaterThan(under[0])
  }
  expect(supplyVoltage('1PN_Z')).toBe(48)
})
