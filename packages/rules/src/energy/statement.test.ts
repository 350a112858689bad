import { expect, test } from 'vitest'
import { engine2 } from './engine-2.ts'
import { isByReason, knownHundredths, renminbiInCapitals, statementNumber, statementProblems } from './statement.ts'
import { inputsOf, memberOf, sealedOf } from './test-statement.ts'
import { factoryTariff } from './test-tariff.ts'

const sealed = sealedOf(factoryTariff)
const whole = new Array<number | null>(960).fill(400)
const facts = { isOpen: false, currencies: 1, hasTariff: true }
const inputs = inputsOf(sealed, [memberOf(whole)])
const problemsOf = (own = inputs, more: Partial<typeof facts> = {}) => {
  const { unpricedQuarters } = engine2(own)
  return statementProblems(own, engine2({ ...own, estimate: false }), { ...facts, unpricedQuarters, ...more })
}

test('nothing stands against a period that is over, known and priced', () => {
  expect(problemsOf()).toEqual([])
  expect(knownHundredths(engine2(inputs))).toBe(10_000)
})

test('energy that is filled where no price is known is billed nowhere, and stands against issuing', () => {
  const spot = { Key: 'spot', Basis: 'kwhBySeries' as const, Prices: [], Of: [], InPowerFactorBase: true, GovernmentFund: false }
  const wh = [...whole]
  wh[97] = null
  const of = (estimate: boolean, unknown: number) => {
    const own = inputsOf({ ...sealed, Components: [...sealed.Components, spot] }, [memberOf(wh)], { estimate })
    const prices = (day: number) => Array.from({ length: 96 }, (_, place) => (day * 96 + place === unknown ? null : '30000000'))
    return problemsOf({ ...own, days: own.days.map((day, place) => ({ ...day, prices: prices(place) })) })
  }
  expect([of(false, 97), of(true, 5)]).toEqual([[], [{ problem: 'unpriced', quarters: 1 }]])
  expect(of(true, 97)).toEqual([{ problem: 'unpriced', quarters: 1 }])
  expect(of(true, -1)).toEqual([])
})

test('all that stands against issuing is said at once', () => {
  const wh = [...whole]
  wh.fill(null, 100, 111)
  const own = inputsOf(sealed, [memberOf(wh)], { cosHundredths: null, declaredW: null })
  const days = own.days.map((day, place) => (place > 7 ? { ...day, version: null } : day))
  const at = (quarter: number) => own.start + quarter * 900_000
  expect(problemsOf({ ...own, days }, { isOpen: true, currencies: 2 })).toEqual([
    { problem: 'open' },
    { problem: 'currencies' },
    { problem: 'datesUnpriced', from: '2026-10-20', to: '2026-10-21' },
    {
      ...{ problem: 'lineUnknown', lineId: 1, known: 9_885, missing: 11, across: 0, estimated: 0 },
      first: { from: at(100), to: at(111) },
    },
    { problem: 'demandUncertain', quarters: 11 },
    { problem: 'row', key: 'demand', gap: 'declared' },
    { problem: 'row', key: 'powerFactor', gap: 'powerFactor' },
  ])
})

test('a row that is not known is named with its reason, and what is of it is not named again', () => {
  const own = inputsOf(sealed, [memberOf(whole)], { cosHundredths: null, declaredW: null })
  expect(problemsOf(own)).toEqual([
    { problem: 'row', key: 'demand', gap: 'declared' },
    { problem: 'row', key: 'powerFactor', gap: 'powerFactor' },
  ])
})

test('99 % is enough, and of a line of which nothing is known nothing can be issued', () => {
  const wh = [...whole]
  wh.fill(null, 0, 9)
  expect(problemsOf(inputsOf(sealed, [memberOf(wh)]))).toEqual([])
  expect(knownHundredths(engine2(inputsOf(sealed, [memberOf(wh)])))).toBe(9_906)
  const none = inputsOf(sealed, [
    memberOf(whole),
    memberOf(
      whole.map(() => null),
      { lineId: 2 },
    ),
  ])
  expect(problemsOf(none)).toContainEqual({ problem: 'nothingKnown', lineId: 2 })
})

test('lines that lack little each, but at different times, are said as a supply of which too little is billed', () => {
  const members = Array.from({ length: 20 }, (_, place) => {
    const wh = [...whole]
    wh.fill(null, place * 9, place * 9 + 9)
    return memberOf(wh, { lineId: place + 1 })
  })
  const found = problemsOf(inputsOf(sealed, members))
  expect(found).toContainEqual({ problem: 'supplyUnknown', quarters: 180 })
  expect(found.map(isByReason)).toEqual([true, true])
  expect(problemsOf(inputsOf(sealed, members.slice(0, 1)))).toEqual([])
})

test('few quarters of much energy that is spread over bands, or estimated, are a line that is not known', () => {
  const high = whole.map((each, index) => (index < 9 ? 100_000 : each))
  const known = (digit: string) => {
    const how = digit.repeat(9) + '0'.repeat(951)
    return problemsOf(inputsOf(sealed, [memberOf(high, { how, howBefore: digit })]))
  }
  const unknown = { problem: 'lineUnknown', lineId: 1, known: 2_970, missing: 0, first: null }
  expect(known('1')).toEqual([{ ...unknown, across: 9, estimated: 0 }])
  expect(known('2')).toEqual([{ ...unknown, across: 0, estimated: 9 }])
  expect(known('3')).toEqual([])
})

test('hours that were counted one by one are each known, unless a band changes within, though their neighbours cost something else', () => {
  const across = (hour: string, before = '0', after = '0') => {
    const how = hour.repeat(960 / hour.length)
    const own = inputsOf(sealed, [memberOf(whole, { how, howBefore: before, howAfter: after })])
    return engine2(own).members[0]?.across
  }
  // Two hours of each of ten dates have a change at half past.
  expect(across('7111')).toBe(80)
  expect(across('71')).toBe(0)
  expect(across('1111')).toBe(960)
  // What begins before the period, or ends after it, is cut, but not where a register is known.
  expect(across('7111', '1', '7')).toBe(80)
  expect(across('7111', '7', '1')).toBe(84)
  expect([across('1711', '0'), across('1711', '1')]).toEqual([276, 277])
})

test('what has no tariff, and no date, says that alone', () => {
  const none = { ...inputs, days: inputs.days.map((day) => ({ ...day, version: null })), versions: [] }
  expect(problemsOf(none, { hasTariff: false })).toEqual([{ problem: 'noTariff' }])
  expect(problemsOf({ ...inputs, days: [], members: [memberOf([])] })).toEqual([{ problem: 'notSupplied' }])
})

test('a number names the project, the month and which of it it is', () => {
  expect(statementNumber({ id: 12, number: 'HD' }, '2026-10', 1)).toBe('HD-202610-01')
  expect(statementNumber({ id: 12, number: '华东 一' }, '2026-10', 7)).toBe('P12-202610-07')
  expect(statementNumber({ id: 12, number: '' }, '2026-10', 120)).toBe('P12-202610-120')
})

test('the number of a project without one of its own is that of no project with one', () => {
  const own = ['5', 'P5', 'p5', 'P5A', 'P'].map((number, place) => statementNumber({ id: 50 + place, number }, '2026-10', 1))
  expect(own).toEqual(['5-202610-01', 'P51-202610-01', 'p5-202610-01', 'P5A-202610-01', 'P-202610-01'])
  expect(own).not.toContain(statementNumber({ id: 5, number: '' }, '2026-10', 1))
})

test.each([
  [15_526_651n, '壹拾伍万伍仟贰佰陆拾陆元伍角壹分'],
  [0n, '零元整'],
  [5n, '伍分'],
  [50n, '伍角整'],
  [100n, '壹元整'],
  [105n, '壹元零伍分'],
  [1_000_000n, '壹万元整'],
  [1_000_100n, '壹万零壹元整'],
  [10_040_007_008n, '壹亿零肆拾万零柒拾元零捌分'],
  [10_000_000_100n, '壹亿零壹元整'],
  [-68_089n, '负陆佰捌拾元捌角玖分'],
])('%s fen are %s', (fen, text) => expect(renminbiInCapitals(fen)).toBe(text))
