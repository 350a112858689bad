import { expect, test } from 'vitest'
import { originText, readOrigin } from './origin-address.ts'
import { kwhExact, registerText, whyApart } from './origin-values.ts'

test('the way down stands in the address, and comes back from it', () => {
  const places = [
    { part: null, from: 1_000, to: 9_000 },
    { part: { kind: 'line', id: 12 }, from: 1_000, to: 9_000 },
    { part: { kind: 'virtual', id: 3 }, from: 2_000, to: 3_000 },
  ] as const
  expect(originText(places)).toBe('1000-9000~l12.1000-9000~v3.2000-3000')
  expect(readOrigin(originText(places))).toEqual(places)
})

test.each([null, '', '1000', '1000-', 'x1.1-2', 'l0.1-2', '1-2~', '1-2~drop'])('%s is no way down', (text) => {
  expect(readOrigin(text)).toEqual([])
})

test('energy is shown to the Wh, a register with all of its places', () => {
  expect([kwhExact(1_234_567), kwhExact(null), registerText(1234.5), registerText(0.37125)]).toEqual([
    '1,234.567',
    '–',
    '1,234.500',
    '0.37125',
  ])
})

const quarters = { Measured: 96, Spread: 0, Estimated: 0, Entered: 0, Missing: 0, Open: 0 }

test.each([
  ['registers and quarters that agree', 5_000, 5_000, quarters, null],
  ['a register that is not known', 5_000, null, quarters, null],
  ['something that was entered', 6_000, 5_000, { ...quarters, Entered: 4, Missing: 1 }, 'whyEntered'],
  ['something that is missing', 4_000, 5_000, { ...quarters, Missing: 1 }, 'whyMissing'],
  ['the quarter that runs', 4_000, 5_000, { ...quarters, Open: 1 }, 'whyOpen'],
  ['a register that was reset', 4_000, -95_000, quarters, 'whyReset'],
])('%s', (_name, wh, RegisterWh, Quarters, why) => {
  expect(whyApart(wh, { RegisterWh, Quarters })).toBe(why)
})
