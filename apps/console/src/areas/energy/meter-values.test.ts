import { expect, test } from 'vitest'
import { correctionStart, figureIn, isMaximum, isMultiplier, linesFound, meterOf } from './meter-values.ts'

test.each([
  ['', null],
  ['1,200.5', 1200.5],
  ['0.3333', 0.3333],
  ['0.33333', Number.NaN],
  ['100001', Number.NaN],
  ['-1', Number.NaN],
  ['1e3', Number.NaN],
])('%s is the figure %s', (typed, value) => {
  expect(figureIn(typed, 4, 100_000)).toBe(value)
})

test('nought is no multiplier and no maximum', () => {
  expect([isMultiplier('0'), isMultiplier(''), isMultiplier('40'), isMaximum('0'), isMaximum('')]).toEqual([
    false,
    false,
    true,
    false,
    true,
  ])
})

test('what shows twice too much is halved, what shows a third is tripled, and the first meter has no beginning', () => {
  const start = (cause: 'double' | 'onePhase') => correctionStart(null, 'Asia/Shanghai', cause, 'why').Multiplier
  expect([start('double'), start('onePhase')]).toEqual(['0.5', '3'])
  expect(meterOf(correctionStart(null, 'Asia/Shanghai', null, ' why '), 'Asia/Shanghai')).toMatchObject({
    ...{ From: null, Multiplier: 1, AccuracyPercent: 1, RegisterMaxKwh: null, Reason: 'why' },
  })
})

test('a line is found by its name, its gateway or a serial number', () => {
  const line = (Name: string, Serial: string) => ({
    ...{ LineID: 1, Name, GatewayName: '低压室', Since: null, Due: false, Version: 1 },
    Meters: [
      {
        ...{ MeterID: 1, From: null, To: null, Serial, Multiplier: 1, AccuracyPercent: 1, RegisterMaxKwh: null },
        ...{ StartRegisterKwh: null, EndRegisterKwh: null, Reason: '', TypedAt: 0, TypedBy: null },
      },
    ],
  })
  const lines = [line('空调', 'DTSD-1'), line('照明', 'B2')]
  const found = (search: string) => linesFound(lines, search).map(({ Name }) => Name)
  expect([found('dtsd'), found('照'), found('低压'), found('x')]).toEqual([['空调'], ['照明'], ['空调', '照明'], []])
})
