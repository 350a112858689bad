import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../test-runs.ts'
import { engine1 } from './engine-1.ts'
import type { Engine1Inputs, SealedVersion } from './engine-1-types.ts'
import { engine2 } from './engine-2.ts'
import { inputsOf, memberOf, sealedOf } from './test-statement.ts'
import { factoryTariff } from './test-tariff.ts'

const sealed = sealedOf(factoryTariff)
/** The band of each quarter of a workday in October. */
const strip = sealed.Seasons[1]?.Days.workday ?? ''

/** A day whose bands add up to these, Wh. */
function quartersWith(byBand: readonly number[]): number[] {
  const wh = new Array<number>(96).fill(0)
  for (const [band, sum] of byBand.entries()) wh[strip.indexOf(String(band))] = sum
  return wh
}

// An engine is never edited after its first statement: whoever is led here by a change writes engine 2 beside it.
test('engine 1 is what it was', () => {
  const files = ['engine-1.ts', 'engine-1-rows.ts', 'engine-1-numbers.ts', 'engine-1-types.ts']
  const texts = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  const outside = texts.flatMap((text) => [...text.matchAll(/from '([^']+)'/g)].map(([, path]) => path))
  expect(outside.filter((path) => !path?.startsWith('./engine-1'))).toEqual([])
  expect(createHash('sha256').update(texts.join('\n')).digest('hex')).toBe(
    'b8514ed3085dd2544a1e3feb67df6359d04c98e801ae3a3a7fc2dd76129a44c3',
  )
})

test('the statement of a factory is the one that a person reckoned by hand, to the fen', () => {
  // No deep valley on a workday: its energy is on a date of another type.
  const deep = quartersWith([0, 0, 0, 0, 0])
  const holiday = sealed.Seasons[1]?.Days.holiday ?? ''
  deep[holiday.indexOf('4')] = 2_745_000
  const first = [...quartersWith([9_448_000, 35_660_000, 29_360_000, 17_712_000]), ...new Array(96).fill(0)]
  const second = [...quartersWith([6_405_000, 24_366_000, 20_070_000, 12_534_000]), ...deep]
  const inputs = inputsOf(sealed, [memberOf(first), memberOf(second, { lineId: 2 })]) as unknown as Engine1Inputs
  const days = inputs.days.map((day, place) => (place === 1 ? { ...day, type: 'holiday' } : day))
  const { parts, total, billedWh: billed } = engine1({ ...inputs, days, declaredW: 100_000_000 })
  const [part] = parts
  expect(part?.bands.map(({ wh }) => wh)).toEqual([15_853_000, 60_026_000, 49_430_000, 30_246_000, 2_745_000])
  const rows = part?.rows.map(({ key, band, quantity, amount }) => [band ?? key, quantity, amount])
  expect(rows?.filter(([key]) => key !== 'demand' && key !== 'powerFactor')).toEqual([
    ['sharp', '15853.000', '19023.60'],
    ['peak', '60026.000', '54623.66'],
    ['flat', '49430.000', '24715.00'],
    ['valley', '30246.000', '4234.44'],
    ['deepValley', '2745.000', '164.70'],
    ['losses', '158300.000', '2944.38'],
    ['network', '158300.000', '21481.31'],
    ['system', '158300.000', '5762.12'],
    ['funds', '158300.000', '4638.19'],
  ])
  // 450 kW declared and nothing above it, at cos 0.93.
  const plain = { ...sealed, DemandRule: { Base: 'declared', Over: null, FloorPercent: null, Discount: null } } as const
  const own = engine1({ ...inputs, days, versions: [{ sealed: plain as unknown as SealedVersion }] })
  expect(own.parts[0]?.rows.slice(-2)).toMatchObject([
    { key: 'demand', quantity: '450.00000', amount: '18360.00' },
    { key: 'powerFactor', quantity: '151309.21', price: '-0.45', amount: '-680.89' },
  ])
  expect(own.total).toBe('155266.51')
  expect([billed, total === null]).toEqual([158_300_000, false])
})

test('engine 2 answers the same where one version prices all of a period', () => {
  const wh = fc.array(fc.option(fc.integer({ min: 0, max: 90_000 }), { freq: 9, nil: null }), { minLength: 192, maxLength: 192 })
  fc.assert(
    fc.property(wh, fc.boolean(), (quarters, estimate) => {
      const inputs = inputsOf(sealed, [memberOf(quarters)], { estimate })
      const { parts, ...rest } = engine2(inputs)
      const rows = parts.map((part) => ({ ...part, rows: part.rows.map(({ share: _, ...row }) => row) }))
      expect({ ...rest, parts: rows }).toEqual(engine1(inputs as unknown as Engine1Inputs))
    }),
    { numRuns: lawRuns(50) },
  )
})
