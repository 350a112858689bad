import type { BalanceLine } from '@linewarden/contract'
import { expect, test } from 'vitest'
import { openAtFirst, restShare, rowsOf, shareText } from './balance-rows.ts'

const line = (
  LineID: number,
  Feeder: number | null,
  Verdict: BalanceLine['Verdict'],
  children: readonly number[],
): BalanceLine => ({
  ...{ LineID, Feeder, Verdict, Name: `L${LineID}`, GatewayName: 'G', FeederUnseen: false, Days: 30, Why: null },
  ...{ Wh: 100, ChildrenWh: 90, RestWh: 10, ErrorWh: 1, ComparedS: 1, LeftOutS: 0, Uncertain: 0, More: 0, Tried: 0, Causes: [] },
  Children: children.map((id) => ({ LineID: id, Name: `L${id}`, GatewayName: 'G', Wh: 45, Whole: true, LackingS: 0 })),
  Compared: null,
})
/** 1 feeds 2 and 3, 3 feeds 4; 5 feeds 6. The worst first. */
const lines = [line(3, 1, 'partsAboveWhole', [4]), line(5, null, 'unmetered', [6]), line(1, null, 'withinError', [2, 3])]
const namesOf = (rows: ReturnType<typeof rowsOf>) =>
  rows.map(
    (row) => `${' '.repeat(row.depth)}${row.kind === 'feeder' ? row.line.Name : row.kind === 'line' ? row.child.Name : 'more'}`,
  )

test('the tree begins with the way to the worst, and feeders stand in the place of the lines they are', () => {
  const open = openAtFirst({ Lines: lines })
  expect([...open].sort()).toEqual([1, 3, 5])
  expect(namesOf(rowsOf(lines, { filter: 'all', order: 'worst', open }))).toEqual(['L1', ' L3', '  L4', ' L2', 'L5', ' L6'])
  expect(namesOf(rowsOf(lines, { filter: 'all', order: 'name', open: new Set() }))).toEqual(['L1', 'L5'])
  expect(namesOf(rowsOf(lines, { filter: 'beyond', order: 'worst', open: new Set([3]) }))).toEqual(['L3', ' L4', 'L5'])
})

test('of those beyond the error each stands once, below its feeder where that is open', () => {
  const both = [line(3, 1, 'partsAboveWhole', [4]), line(1, null, 'unmetered', [2, 3])]
  const namesWith = (...open: number[]) => namesOf(rowsOf(both, { filter: 'beyond', order: 'worst', open: new Set(open) }))
  expect(namesWith(1, 3)).toEqual(['L1', ' L3', '  L4', ' L2'])
  expect(namesWith(3)).toEqual(['L3', ' L4', 'L1'])
})

test('feeders that go round by mistake stand at the top, and each once', () => {
  const ring = [line(1, 2, 'unknown', [2]), line(2, 1, 'unknown', [1])]
  const rows = namesOf(rowsOf(ring, { filter: 'all', order: 'worst', open: new Set([1, 2]) }))
  expect(rows.filter((name) => name === 'L1' || name === 'L2').length).toBeGreaterThan(0)
  expect(rows.length).toBeLessThan(6)
})

test('of what used nothing there is no share', () => {
  expect(shareText(restShare({ Wh: 0, RestWh: 0 }))).toBe('–')
  expect(shareText(restShare({ Wh: 200, RestWh: -58 }))).toBe('−29.0 %')
  expect(shareText(restShare({ Wh: 37_000_000, RestWh: -100 }))).toBe('0.0 %')
})
