import { describe, expect, test } from 'vitest'
import type { NamedValue } from './birth.ts'
import { maxDevices, maxLines, noRoomFor, readDeviceBirth } from './birth.ts'

/** The birth of a device that says this of itself. */
const born = (reported: Readonly<Record<string, NamedValue['value']>>, wireId = 'B1') =>
  readDeviceBirth(
    wireId,
    Object.entries(reported).map(([name, value]) => ({ name, alias: null, value, at: 0, historical: false })),
  )
const breaker = { 'info/model': '3P', '1/residual': 12 }

test('a breaker is born with the lines that it names, in the order of their numbers', () => {
  const values = { '10/residual': 1, '2/residual': 1, '2/position': 1, 'settings/3/leakage.trip': 30, 'command/result/4': 1 }
  const reported = {
    ...{ 'info/model': '4P', 'info/name': 'Cabinet', 'info/firmware': '1.2', '2/info/name': 'Lift', '2/info/ratedCurrent': 63 },
    ...values,
  }
  expect(born(reported)).toMatchObject({
    ...{ wireId: 'B1', family: { key: 'breaker3p' }, model: '4P', name: 'Cabinet', firmware: '1.2' },
    lines: [
      { lineNo: 2, name: 'Lift', ratedCurrentA: 63 },
      { lineNo: 3, name: null, ratedCurrentA: null },
      { lineNo: 10, name: null, ratedCurrentA: null },
    ],
  })
})

test('a detector is one line, whatever it names, and its name and rated current are those of the device', () => {
  const reported = { 'info/model': 'ARCM620', 'info/name': 'Hall', 'info/ratedCurrent': 40, '3/residual': 1 }
  expect(born(reported)).toMatchObject({ name: 'Hall', lines: [{ lineNo: 0, name: 'Hall', ratedCurrentA: 40 }] })
})

test('the family is the one that it names, else the one of its model, and without either it is not taken', () => {
  const keyOf = (reported: Parameters<typeof born>[0]) => {
    const birth = born({ ...reported, '1/residual': 1 })
    return typeof birth === 'string' ? birth : [birth.family.key, birth.model]
  }
  expect(keyOf({ 'info/family': 'breaker1p', 'info/model': '3P' })).toEqual(['breaker1p', '3P'])
  expect(keyOf({ 'info/family': 'breaker3p', 'info/model': '' })).toEqual(['breaker3p', '3P'])
  expect(keyOf({ 'info/family': 'toaster', 'info/model': '3P' })).toEqual(['breaker3p', '3P'])
  expect(keyOf({ 'info/family': 7, 'info/model': null })).toBe('no family is known for model (none) and family (none)')
})

test.each([
  [0, 0],
  [0.0004, 0],
  [2.5, 2_500],
  [31 * 86_400, 31 * 86_400_000],
  [31 * 86_400 + 1, null],
  [-1, null],
  ['60', null],
])('a device that says it reports every %s s is expected every %s ms', (reported, expected) => {
  expect(born({ ...breaker, 'info/reportingPeriod': reported })).toMatchObject({ reportingPeriodMs: expected })
})

test.each([
  [99_999, 99_999],
  [100_000, null],
  [0, null],
  [-63, null],
  ['63', null],
])('of a line that says it is rated at %s A, %s is kept', (reported, expected) => {
  expect(born({ ...breaker, '1/info/ratedCurrent': reported })).toMatchObject({ lines: [{ ratedCurrentA: expected }] })
})

test('a device has at most 256 lines', () => {
  const withLines = (count: number) =>
    born({ 'info/model': '3P', ...Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index + 1}/residual`, 1])) })
  expect(withLines(256)).toMatchObject({ lines: { length: 256 } })
  expect(withLines(257)).toBe('257 lines on one device; at most 256 are taken')
})

describe('behind a gateway', () => {
  const others = (devices: number, lines: number) => Array.from({ length: devices }, () => ({ lines: { size: lines } }))
  const roomFor = (present: ReturnType<typeof others>) => {
    const birth = born({ ...breaker, '2/residual': 1 })
    if (typeof birth === 'string') throw new Error(birth)
    return noRoomFor(birth, present)?.reason ?? 'room'
  }

  test.each([
    ['room', others(maxDevices - 1, 1)],
    ['too_many_devices', others(maxDevices, 1)],
    // Its own two lines are the last that have room.
    ['room', [...others(15, 256), { lines: { size: 254 } }]],
    ['too_many_lines', [...others(15, 256), { lines: { size: 255 } }]],
  ])('there is %s', (expected, present) => expect(roomFor(present)).toBe(expected))

  test('there are at most 256 devices with 4,096 lines', () => expect([maxDevices, maxLines]).toEqual([256, 4_096]))
})
