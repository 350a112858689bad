import { expect, test } from 'vitest'
import {
  bandPath,
  heatHow,
  heatShade,
  heatStep,
  hourOfMax,
  kwDigits,
  kwText,
  linePath,
  quarterTime,
  stepDigits,
} from './load-figures.ts'

test('kW have as many decimals as the largest needs, and a missing one is a dash', () => {
  expect([0.4, 12, 418.2, 1_250].map((max) => kwText(max, kwDigits(max)))).toEqual(['0.400', '12.00', '418.2', '1,250'])
  expect(kwText(null, 1)).toBe('–')
  expect([100, 2.5, 0.25, 0.125].map(stepDigits)).toEqual([0, 1, 2, 3])
})

test('the largest hour is in the darkest shade, nought in the faintest', () => {
  for (const most of [0.03, 1, 6, 12, 99, 418, 419.9, 500, 501, 80_000]) {
    const step = heatStep(most)
    expect([heatShade(0, step), heatShade(most, step)]).toEqual([0, 4])
    expect(heatShade(step, step)).toBe(1)
  }
})

test('a line is broken where nothing is known, and so is a band', () => {
  expect(linePath([[0, 1], [1, 2], null, [3, 4]])).toBe('M0.0 1.0L1.0 2.0M3.0 4.0')
  expect(bandPath([[0, 1, 2], [1, 1, 3], null, [3, 1, 2]])).toBe('M0.0 2.0L1.0 3.0L1.0 1.0L0.0 1.0Z')
})

test('an hour of which some quarters are missing is told apart from one that is missing', () => {
  const row = { Day: '2026-11-30', DayType: 'workday' as const, KW: [1, null], How: ['missing', 'missing'] as const }
  expect([heatHow({ ...row, How: [...row.How] }, 0), heatHow({ ...row, How: [...row.How] }, 1)]).toEqual(['part', 'missing'])
})

test('of an hour that came twice it is told which one a quarter is of', () => {
  const first = Date.parse('2026-10-25T00:15:00Z')
  const berlin = (at: number) => quarterTime('Europe/Berlin', at)
  expect(berlin(first)).toEqual({ text: '2026-10-25 02:15', pass: 'first' })
  expect(berlin(first + 3_600_000)).toEqual({ text: '2026-10-25 02:15', pass: 'second' })
  expect(berlin(first - 3_600_000)).toEqual({ text: '2026-10-25 01:15', pass: null })
  expect(hourOfMax({ Zone: 'Europe/Berlin', MaxAt: first })).toEqual({ day: '2026-10-25', hour: 2 })
  expect(hourOfMax({ Zone: 'Europe/Berlin', MaxAt: null })).toBe(null)
})
