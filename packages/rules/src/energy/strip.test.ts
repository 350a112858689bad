import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandsOfStrip, evenStrip, painted, quarterClock, quarterOfClock, runsOf, stripPattern, withoutBand } from './strip.ts'

const anyStrip = fc.array(fc.constantFrom(...'01234567.'), { minLength: 96, maxLength: 96 }).map((signs) => signs.join(''))

test('what is painted is so from the one quarter to before the other, and the rest stays', () => {
  fc.assert(
    fc.property(anyStrip, fc.nat(96), fc.nat(96), fc.nat(7), (strip, one, other, band) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)]
      const after = painted(strip, from, to, band)
      expect(after).toMatch(new RegExp(stripPattern))
      expect(bandsOfStrip(after)).toEqual(bandsOfStrip(strip).map((each, index) => (index >= from && index < to ? band : each)))
    }),
  )
})

test('runs are the strip again, and no two neighbours are of one band', () => {
  fc.assert(
    fc.property(anyStrip, (strip) => {
      const runs = runsOf(strip)
      expect(runs.flatMap(({ from, to, band }) => Array(to - from).fill(band))).toEqual(bandsOfStrip(strip))
      expect(runs.some(({ band }, index) => band === runs[index + 1]?.band)).toBe(false)
    }),
  )
})

test('a clock time on a quarter is that quarter, and any other is none', () => {
  for (let quarter = 0; quarter <= 96; quarter++) expect(quarterOfClock(quarterClock(quarter))).toBe(quarter)
  expect(['8:30', '08：30', '24:15', '08:20', '8', '-1:00', ''].map(quarterOfClock)).toEqual([
    34,
    34,
    null,
    null,
    null,
    null,
    null,
  ])
})

test('a band that is taken out leaves its quarters without one, and the others are what they were', () => {
  expect(runsOf(withoutBand(painted(painted(evenStrip(2), 0, 4, 1), 4, 8, 0), 1)).map(({ to, band }) => [to, band])).toEqual([
    [4, -1],
    [8, 0],
    [96, 1],
  ])
})
