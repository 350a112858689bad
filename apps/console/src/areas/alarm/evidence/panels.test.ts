import type { Evidence } from '@linewarden/contract'
import { familyOf } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { panelsOf, pathOf } from './panels.ts'

type Copy = NonNullable<Evidence['Copy']>
const family = familyOf('breaker3p')
if (!family) throw new Error('no such family')

const level = (Key: string, point: string, Value: number): Copy['Levels'][number] => ({
  Key,
  Label: { zh: '', en: '' },
  Kind: 'alarm',
  Points: [point],
  Side: 'over',
  Value,
})
const copyOf = (points: readonly string[], rows: Copy['Rows'], Levels: Copy['Levels'] = []) =>
  ({ Points: [...points], Rows: rows, Levels, Gaps: [] }) as unknown as Copy

test('the quantity that the alarm is about comes first, then what an electrician looks at', () => {
  const points = ['current.a', 'voltage.a', 'residual', 'energy']
  const copy = copyOf(points, [[0, [1, 220, 8, 100], 0]])
  const quantities = (about: string | null) => panelsOf(copy, family, about).map(({ quantity }) => quantity)
  expect(quantities('voltage.a')).toEqual(['voltage', 'residual', 'current'])
  expect(quantities(null)).toEqual(['residual', 'current', 'voltage'])
})

test('phases of one quantity share an axis, and one without a value is not drawn', () => {
  const copy = copyOf(['current.a', 'current.b', 'current.c'], [[0, [1, 2, null], 0]])
  expect(panelsOf(copy, family, null)[0]?.traces.map(({ point }) => point.key)).toEqual(['current.a', 'current.b'])
})

test('a limit that is near is on the axis, one far away does not press the curve flat', () => {
  const rows: Copy['Rows'] = [[0, [20], 0]]
  const panel = (limit: number) =>
    panelsOf(copyOf(['residual'], rows, [level('residual.alarm', 'residual', limit)]), family, null)[0]
  expect(panel(30)?.levels).toHaveLength(1)
  expect(panel(30)?.high).toBeGreaterThan(30)
  expect(panel(300)?.levels).toEqual([])
  expect(panel(300)?.high).toBeLessThan(30)
})

test('a curve is broken at a gap and at a missing value, and nowhere else', () => {
  const scale = { x: (at: number) => at, y: (value: number) => value }
  const point = family.points[0]
  if (!point) throw new Error('no point')
  const values = [
    [0, 1],
    [1, 1],
    [2, null],
    [3, 1],
    [50, 1],
  ] as const
  expect(pathOf({ point, values }, [[3, 50]], scale)).toBe('M0.0 1.0L1.0 1.0M3.0 1.0M50.0 1.0')
  expect(pathOf({ point, values: values.slice(3) }, [], scale)).toBe('M3.0 1.0L50.0 1.0')
})
