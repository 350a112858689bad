import { expect, test } from 'vitest'
import { cosIn, energyIn, powerFactorStart, typedOf } from './power-factor-values.ts'

test('a power factor is read as it stands on a bill, and nothing else is', () => {
  expect(['0.93', '.9', '1', '1.00', ' 0.05 '].map(cosIn)).toEqual([93, 90, 100, 100, 5])
  expect(['', '0', '0.00', '1.01', '93', '0.931', '-0.9', 'x'].map(cosIn)).toEqual(Array(8).fill(null))
})

test('energy is whole Wh of up to three places; of reactive energy there may be none', () => {
  expect([energyIn('1,488.5', 1), energyIn('0', 0), energyIn('0', 1), energyIn('1.2345', 1), energyIn('', 0)]).toEqual([
    ...[1_488_500, 0, null, null, null],
  ])
})

test('what was typed one way is not sent the other way too', () => {
  const values = { By: 'cos', Cos: '0.93', Active: '5', Reactive: '', Source: ' 账单 ' } as const
  expect(typedOf(values)).toEqual({ CosHundredths: 93, ActiveWh: null, ReactiveVarh: null, Source: '账单' })
  expect(typedOf({ ...values, By: 'none' })).toBeNull()
  const energies = {
    CosHundredths: null,
    ActiveWh: 1_488_000,
    ReactiveVarh: 0,
    Source: '账单',
    Cos: 100,
    TypedAt: 0,
    TypedBy: null,
    Version: 1,
  }
  expect(powerFactorStart(energies)).toMatchObject({ By: 'energies', Cos: '', Active: '1488', Reactive: '0' })
  expect(typedOf(powerFactorStart(energies))).toMatchObject({ CosHundredths: null, ActiveWh: 1_488_000, ReactiveVarh: 0 })
})
