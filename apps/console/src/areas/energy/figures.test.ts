import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axisOf, changeText, knownShare, percentText, shownKwh } from './figures.ts'

test('what is not known is a dash and never nought', () => {
  expect(shownKwh([{ Wh: null }, { Wh: 0 }, { Wh: 1_500 }], 1_500)).toMatchObject({ total: '1.50', bars: ['–', '0.00', '1.50'] })
  expect(shownKwh([{ Wh: null }], null).total).toBe('–')
})

const plain = (text: string) => Number(text.replaceAll(',', ''))

test('thousands stand apart', () => expect(shownKwh([{ Wh: 1_234_567_890 }], 1_234_567_890).total).toBe('1,234,568'))

test('nothing is below nought by what is not shown', () => {
  expect([-4, -6, 4].map(shownKwh([], 1_000).of)).toEqual(['0.00', '−0.01', '0.00'])
  expect([-0.0004, -0.0006].map(changeText)).toEqual(['0.0 %', '−0.1 %'])
})

test('whoever adds up the bars gets the whole', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 40_000_000 }), { minLength: 1, maxLength: 60 }), (whs) => {
      const total = whs.reduce((one, other) => one + other, 0)
      const shown = shownKwh(
        whs.map((Wh) => ({ Wh })),
        total,
      )
      const sum = shown.bars.reduce((one, each) => one + Math.round(plain(each) * 100), 0)
      expect(sum).toBe(Math.round(plain(shown.total) * 100))
    }),
  )
})

test('what is still open lowers no share, and a share that is not whole never reads so', () => {
  expect(knownShare({ LengthS: 86_400, LackingS: 0, OpenS: 43_200 })).toBe(1)
  expect(knownShare({ LengthS: 86_400, LackingS: 0, OpenS: 86_400 })).toBeNull()
  expect([1, 0.99999, 0.5, 0.00001, 0].map(percentText)).toEqual(['100.0 %', '99.9 %', '50.0 %', '0.1 %', '0.0 %'])
  expect([0.1, -0.034, 0].map(changeText)).toEqual(['+10.0 %', '−3.4 %', '0.0 %'])
})

test('the axis ends above the highest bar, of this period and of the other', () => {
  const bar = (Wh: number | null, other: number | null) => ({ Wh, Compared: { Civil: '', Wh: other, LackingS: 0 } }) as never
  expect(axisOf([bar(6_100, 7_900)])).toEqual({ top: 8_000, step: 2_000 })
  expect(axisOf([bar(null, null)]).top).toBeGreaterThan(0)
})
