import type { Device, Gateway, LineState, Project } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { LineRef } from '../../plant/equipment.ts'
import { columnGroups } from './columns.ts'
import { firstSort, isTurned, nextSort, readSort, sortedLines, turned } from './line-sort.ts'

const family = familyOf('breaker1p')
const index = family?.points.findIndex(({ key }) => key === 'current.a') ?? -1

const lineRef = (LineID: number, LineName: string): LineRef => ({
  line: { LineID, LineNo: LineID, LineName, RatedCurrentA: null, LeakageTripMa: null, FedBy: null, Settings: {} },
  device: { ControllerID: 'C1' } as Device,
  gateway: { DeviceID: 1 } as Gateway,
  project: {} as Project,
  family,
  names: LineName,
})

const lines = [lineRef(1, '照明 10'), lineRef(2, '照明 2'), lineRef(3, '空调')]
const currents = new Map<number, number | null>([
  [1, 3.5],
  [2, null],
  [3, 12],
])

const states = {
  line: (id: number) =>
    ({
      LineID: id,
      ReceivedAt: 1_000 - id,
      Values: Object.assign([], { [index]: currents.get(id) ?? null }),
      States: { position: id === 2 ? 'open' : 'closed' },
      Active: id === 3 ? [{ EventID: '1', Key: 'x', Kind: 'alarm', Priority: 'high', Point: null }] : [],
      Pending: null,
    }) as unknown as LineState,
  deviceLink: () => ({ ControllerID: 'C1', Link: 'online' as const, Since: null, Reason: null }),
}

const order = (text: string | null) => sortedLines(lines, readSort(text), states).map(({ line }) => line.LineID)

test.each([
  [null, [1, 2, 3]],
  ['name', [3, 2, 1]],
  ['-name', [1, 2, 3]],
  ['current.a', [1, 3, 2]],
  ['-current.a', [3, 1, 2]],
  ['position', [2, 1, 3]],
  ['severity', [3, 1, 2]],
  ['-age', [3, 2, 1]],
  ['nothing.of.this', [1, 2, 3]],
])('sorted by %s; a missing value comes last', (text, ids) => expect(order(text)).toEqual(ids))

test('three clicks: the largest first, the smallest first, no order', () => {
  expect(nextSort(null, 'current.a')).toBe('-current.a')
  expect(nextSort(readSort('-current.a'), 'current.a')).toBe('current.a')
  expect(nextSort(readSort('current.a'), 'current.a')).toBeNull()
})

test('a name begins with the first', () => {
  expect(nextSort(null, 'name')).toBe('name')
  expect(nextSort(readSort('name'), 'name')).toBe('-name')
  expect(nextSort(readSort('-name'), 'name')).toBeNull()
})

test.each(['current.a', 'name', 'severity', 'age'])('%s is turned and turned back, wherever it began', (key) => {
  const first = readSort(firstSort(key))
  if (!first) throw new Error('no sort')
  expect(isTurned(first)).toBe(false)
  const other = readSort(turned(first))
  if (!other) throw new Error('no sort')
  expect(isTurned(other)).toBe(true)
  expect(readSort(turned(other))).toEqual(first)
})

test('whatever the values: by size, what is missing last, equals as they were', () => {
  const values = fc.array(fc.option(fc.oneof(fc.constantFrom(0, -0, 1.5), fc.double({ noNaN: true })), { nil: null }))
  fc.assert(
    fc.property(values, fc.boolean(), (own, down) => {
      const some = own.map((_, at) => lineRef(at + 1, ''))
      const of = (id: number) => own[id - 1] ?? null
      const line = (id: number) => ({ Values: Object.assign([], { [index]: of(id) }) }) as unknown as LineState
      const ids = sortedLines(some, { key: 'current.a', down }, { ...states, line }).map(({ line }) => line.LineID)
      const expected = some
        .map(({ line }) => line.LineID)
        .sort((a, b) => {
          const [left, right] = [of(a), of(b)]
          if (left === null || right === null) return Number(left === null) - Number(right === null)
          return left === right ? 0 : left < right !== down ? -1 : 1
        })
      expect(ids).toEqual(expected)
    }),
  )
})

test('names are in the same order among others: part of the lines, then all of them with one that is new', () => {
  const names = ['照明 10', '照明 2', '空调', '照明 2', 'Pump']
  const all = names.map((name, at) => lineRef(at + 1, name))
  const sorted = (lines: readonly LineRef[]) => sortedLines(lines, readSort('name'), states).map(({ line }) => line.LineName)
  expect(sorted(all.slice(0, 2))).toEqual(['照明 2', '照明 10'])
  expect(sorted(all)).toEqual(['空调', '照明 2', '照明 2', '照明 10', 'Pump'])
  expect(sorted(all.slice(0, 3))).toEqual(['空调', '照明 2', '照明 10'])
})

test.each(['foo', '-foo', '', '-', '-name-', 'constructor'])('an address that asks for the order "%s" has none', (text) => {
  expect(readSort(text)).toBeNull()
  expect(order(text)).toEqual([1, 2, 3])
})

test('every column of the table can be sorted by', () => {
  for (const { key } of columnGroups.flatMap(({ columns }) => columns)) expect(readSort(`-${key}`)).toEqual({ key, down: true })
})
