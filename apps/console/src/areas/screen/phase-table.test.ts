import { families } from '@linewarden/equipment'
import { expect, test } from 'vitest'
import { phaseTable } from './phase-table.ts'

const tableOf = (key: string) => {
  const family = families.find((each) => each.key === key)
  if (!family) throw new Error(`${key} is a family`)
  return phaseTable(family)
}

test('of three phases each quantity has a column for each conductor, and one for what is of all', () => {
  const { columns, rows } = tableOf('breaker3p')
  expect(columns).toEqual(['A', 'B', 'C', 'N', null])
  expect(rows.map(({ quantity, cells }) => [quantity, cells.map((cell) => cell?.point.key ?? null)])).toEqual([
    ['voltage', ['voltage.a', 'voltage.b', 'voltage.c', null, null]],
    ['current', ['current.a', 'current.b', 'current.c', null, null]],
    ['power', ['power.a', 'power.b', 'power.c', null, 'power.total']],
    ['temperature', ['temperature.a', 'temperature.b', 'temperature.c', 'temperature.n', null]],
  ])
})

test.each(families.map((family) => [family.key, family] as const))(
  'of %s every point stands once: in the table, beside it, or as the bar of residual current',
  (_, family) => {
    const { rows, others } = phaseTable(family)
    const shown = [...rows.flatMap(({ cells }) => cells.flatMap((cell) => cell ?? [])), ...others].map(({ point }) => point.key)
    const bar = family.level === 'line' ? family.points.filter(({ quantity }) => quantity === 'residual') : []
    expect(shown.toSorted()).toEqual(
      family.points
        .filter((point) => !bar.includes(point))
        .map(({ key }) => key)
        .toSorted(),
    )
    expect(bar.length).toBeLessThanOrEqual(1)
  },
)
